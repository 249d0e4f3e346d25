import { z } from 'zod';
import { plainName } from '../requests/plain-name.ts';
import { inputRequest, stubsRequest } from './dry-run.ts';
import { MOST_PATHS } from './sample-paths.ts';
import type { WantsChange } from './wants/wants.ts';

export const MOST_SAMPLES = 50;
const INPUT_BYTES = 256 * 1024;
/** JSON of all that is expected, and of the stubs. */
const EXPECTS_CHARACTERS = 256 * 1024;
/** JSON escapes make each of them longer. */
export const SAMPLE_BODY_LIMIT = 4 * 1024 * 1024;

/** A value at a place: `entry[0].resource.status`; '' is all of it. */
const expectedValue = z.strictObject({
  path: z
    .string({ error: 'path is required' })
    .max(512)
    .regex(
      /^(?:[^.[\]]+|\[\d{1,6}\])?(?:\.[^.[\]]+|\[\d{1,6}\])*$/,
      'path must be names and [numbers] with dots between them',
    ),
  value: z.json(),
});
export type ExpectedValue = z.output<typeof expectedValue>;

const values = z.array(expectedValue).max(MOST_PATHS, `at most ${MOST_PATHS} values`);

const expectedWrite = z.strictObject({
  action: z.enum(['create', 'update', 'delete']),
  resourceType: z.string().regex(/^[A-Z][A-Za-z]{1,63}$/, 'must be a type of resource'),
  /** Of the resource as it would be. */
  values: values.optional(),
});

export const expectation = z.strictObject({
  /** Whether the run ends well. */
  ok: z.boolean().default(true),
  /** Of what it returns; of a text '' alone. */
  output: values.optional(),
  /** All that it changes, in this order. Without it nobody looks. */
  writes: z.array(expectedWrite).max(200).optional(),
});
export type Expectation = z.output<typeof expectation>;

function isShort(value: unknown): boolean {
  return JSON.stringify(value ?? null).length <= EXPECTS_CHARACTERS;
}

/** POST /admin/projects/:id/bots/:botId/samples. */
export const sampleRequest = z.strictObject({
  name: plainName('name is required', 128, 'name has at most 128 characters'),
  input: inputRequest.refine(({ body }) => new TextEncoder().encode(body).length <= INPUT_BYTES, {
    path: ['body'],
    error: 'the input of a sample is at most 256 KiB',
  }),
  expects: expectation.refine(isShort, 'all that is expected is at most 256 KiB'),
  stubs: stubsRequest.refine(isShort, 'the stubs of a sample are at most 256 KiB').optional(),
});
export type SampleRequest = z.output<typeof sampleRequest>;

/** PUT of one replaces it. `over`: its `updatedAt` as its author saw it. */
export const sampleChange = sampleRequest.extend({
  over: z.iso.datetime('over must be an instant in UTC').optional(),
});
export type SampleChange = z.output<typeof sampleChange>;

export type Sample = Omit<SampleRequest, 'stubs'> & {
  id: string;
  stubs: SampleRequest['stubs'] | null;
  author: { reference: string; display: string | null } | null;
  updatedAt: string;
};

/** GET /admin/projects/{id}/bots/{id}/samples, by name. */
export type Samples = { rows: Sample[] };

/** Something that is not as expected. Undefined is not there. */
export type SampleDifference = { at: string; expected?: unknown; found?: unknown };

export type SampleResult = {
  id: string;
  name: string;
  ok: boolean;
  differences: SampleDifference[];
  /** Why it could not be run at all. */
  problem: string | null;
  durationMs: number;
};

/** POST /admin/projects/{id}/bots/{id}/check: what a deploy of this code would find. */
export type Checked = { samples: SampleResult[]; wants: WantsChange };
