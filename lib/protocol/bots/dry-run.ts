import { z } from 'zod';
import { deployBotRequest } from '../requests/create-bot.ts';

/** Code of five MiB, which JSON may make twice as long, and as much input. */
export const DRY_RUN_BODY_LIMIT = 16 * 1024 * 1024;

const MOST_FETCHES = 50;
const BODY_CHARACTERS = 256 * 1024;

/** The answer to a `fetch`: of this address, or of all that begin with what stands before a `*` at its end. The first that fits is it. */
const fetchStub = z.strictObject({
  url: z
    .string({ error: 'url is required' })
    .max(2048)
    .regex(/^https?:\/\/\S+$/, 'url must begin with https://'),
  method: z
    .string()
    .regex(/^[A-Z]{1,16}$/, 'method must be in capitals')
    .optional(),
  status: z.int().min(200).max(599).default(200),
  headers: z.record(z.string().regex(/^[\w-]{1,128}$/), z.string().max(4096)).optional(),
  body: z.string().max(BODY_CHARACTERS).optional(),
});
export type FetchStub = z.output<typeof fetchStub>;

/** What a dry run is answered for what it may not do: without a stub it is refused. */
export const stubsRequest = z.strictObject({
  fetch: z.array(fetchStub).max(MOST_FETCHES, `at most ${MOST_FETCHES} answers`).optional(),
  /** Mail is answered as if it had been sent. */
  mail: z.boolean().optional(),
});
export type Stubs = z.output<typeof stubsRequest>;

/** What a bot is given, as the body of a request with this content type. */
export const inputRequest = z.strictObject({
  contentType: z
    .string({ error: 'contentType is required' })
    .max(256)
    .regex(/^[\w.+-]+\/[\w.+-]+(?:\s*;[\x20-\x7e]*)?$/, 'contentType must be a media type'),
  body: z.string({ error: 'body is required' }),
});

/** POST /admin/projects/:id/bots/:botId/dry-run: of `code`, of a `version`, or of what is live. */
export const dryRunRequest = z
  .strictObject({
    code: deployBotRequest.shape.code,
    filename: deployBotRequest.shape.filename,
    files: deployBotRequest.shape.files,
    version: z.int().min(1).max(2_147_483_647).optional(),
    input: inputRequest,
    stubs: stubsRequest.optional(),
  })
  .refine(({ code, files, version }) => (code ?? files) === undefined || version === undefined, {
    path: ['version'],
    error: 'code and version are two things to run: name one',
  });
export type DryRunRequest = z.output<typeof dryRunRequest>;

/** What would have become of one resource. Without both where they are too long to be told. */
export type Difference = {
  action: 'create' | 'update' | 'delete';
  /** `Type/id`; of a new one the id is another each time. */
  target: string;
  before: unknown;
  after: unknown;
  tooLong?: true;
};

/** Something that the bot asked for. `answeredBy`: a stub, instead of us. */
export type DryCall = { method: string; target: string | null; ok: boolean; answeredBy: 'gatehouse' | 'stub' };

/** What a run would have done and answered. */
export type DryRun = {
  /** Of the code that ran; null for a draft. */
  version: number | null;
  ok: boolean;
  /** As text that can be answered without being read. */
  output: { kind: string; text: string } | null;
  /** What went wrong; `outcome` is an OperationOutcome of the bot's. */
  failure: { reason: string; message: string; stack: string | null; outcome: unknown } | null;
  logs: { level: string; text: string }[];
  calls: DryCall[];
  writes: Difference[];
  durationMs: number;
};
