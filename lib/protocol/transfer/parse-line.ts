import { z } from 'zod';
import { AppError } from '#lib/base/errors.ts';
import { botFiles, draftFiles } from '../bots/files.ts';
import { sampleRequest } from '../bots/samples.ts';
import { parseJson } from '../json/json.ts';
import { refuseManyValues } from '../json/refuse-many-values.ts';
import { toIssues } from '../zod-issues.ts';
import { PROJECT_FILE } from './lines.ts';

/** In small letters, as this server keeps ids of its own. */
const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a UUID in small letters');
const number = z.int().min(1).max(2_147_483_647);
const instant = z.iso.datetime({ precision: 3 });
const name = z.string().max(1000);
const object = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);
/** "Practitioner/1", or "ClientApplication/1 for Practitioner/2". */
const author = z.string().regex(/^\w{1,64}\/[\w.-]{1,64}( for \w{1,64}\/[\w.-]{1,64})?$/, 'must name who wrote it');

const LINES = [
  z.strictObject({
    kind: z.literal('manifest'),
    format: z.literal(PROJECT_FILE.format),
    version: z.literal(PROJECT_FILE.version, 'is not known here'),
    project: z.strictObject({ id: uuid, name }),
    source: name,
    asOf: instant,
    versions: z.record(z.string(), z.int().min(0)),
  }),
  z.strictObject({
    kind: z.literal('person'),
    id: uuid,
    email: z.string().max(320).optional(),
    firstName: name.optional(),
    lastName: name.optional(),
  }),
  z.strictObject({
    kind: z.literal('membership'),
    id: uuid,
    user: z.string().regex(/^(User|ClientApplication|Bot)\/[0-9a-f-]{36}$/, 'must name a person or a program'),
    further: z.boolean(),
    awaitsProof: z.boolean(),
    inviteStatus: name,
    invitedAt: instant.nullable(),
  }),
  z.strictObject({ kind: z.literal('secret-name'), name: z.string().min(1).max(255) }),
  z.strictObject({ kind: z.literal('bot-secret-name'), botId: uuid, name: z.string().min(1).max(255) }),
  z.strictObject({
    kind: z.literal('bot-sample'),
    botId: uuid,
    id: uuid,
    ...sampleRequest.shape,
    author: author.nullable(),
    updatedAt: instant,
  }),
  z.strictObject({ kind: z.literal('bot-deployment'), botId: uuid, number }),
  z.strictObject({ kind: z.literal('bot-draft'), botId: uuid, files: draftFiles }),
  z.strictObject({
    kind: z.literal('bot-version'),
    botId: uuid,
    number,
    filename: name,
    source: z.string(),
    files: botFiles.optional(),
    bundle: z.string(),
    sourceMap: z.string().nullable(),
    author: author.nullable(),
    note: z.string().max(2000).optional(),
    fromNumber: number.optional(),
    createdAt: instant,
  }),
  z.strictObject({
    kind: z.literal('binary'),
    id: uuid,
    since: number.optional(),
    until: number.optional(),
    piece: z.int().min(0),
    data: z.base64(),
  }),
  z.strictObject({
    kind: z.literal('version'),
    type: z.string().max(64),
    id: z.string().regex(/^[A-Za-z0-9.-]{1,64}$/, 'must be an id of FHIR'),
    version: number,
    op: z.enum(['create', 'update', 'delete']),
    lastUpdated: instant,
    author: author.nullable(),
    meta: object.nullable(),
    content: object.nullable(),
  }),
  z.strictObject({
    kind: z.literal('end'),
    lines: z.int().min(0),
    counts: z.record(z.string(), z.int().min(0)),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
] as const;

const line = z.discriminatedUnion('kind', LINES);

/** A line of the file of a project (lines.ts), as it may be taken in. */
export type FileLine = z.infer<typeof line>;
export type VersionLine = Extract<FileLine, { kind: 'version' }>;

/** Escapes of what PostgreSQL keeps in no text. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i;

/** Throws 400 for what is no such line, with an issue for each field that is wrong. */
export function parseLine(text: string): FileLine {
  refuseManyValues(text);
  if (UNSTORABLE.test(text)) throw new AppError('structure', 'It has a character that cannot be stored');
  const result = line.safeParse(parseJson(text));
  if (result.success) return result.data;
  const issues = toIssues(result.error).slice(0, 20);
  throw new AppError('structure', 'It is no line of the file of a project', { issues });
}
