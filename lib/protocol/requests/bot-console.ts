import { z } from 'zod';
import { MOST_CODE_BYTES } from '../bots/file-names.ts';
import { draftFiles } from '../bots/files.ts';
import { createBotRequest, deployBotRequest, versionNote } from './create-bot.ts';
import { countParam, cursorParam } from './page.ts';

/** Five MiB with all files, which JSON may make twice as long. */
export const SOURCE_BODY_LIMIT = 12 * 1024 * 1024;

/** PUT /admin/projects/:id/bots/:botId/source */
export const saveSourceRequest = z.strictObject({
  code: z
    .string({ error: 'code is required' })
    .refine((code) => new TextEncoder().encode(code).length <= MOST_CODE_BYTES, 'code must be at most 1 MiB'),
  filename: deployBotRequest.shape.filename,
  /** All others; without it the draft is this one. */
  files: draftFiles.optional(),
});
export type SaveSourceRequest = z.output<typeof saveSourceRequest>;

/** POST /admin/projects/:id/bots/:botId/check: what a deploy of this code would find. */
export const checkRequest = saveSourceRequest.extend({ files: deployBotRequest.shape.files });
export type CheckRequest = z.output<typeof checkRequest>;

/** POST /admin/projects/:id/bots/:botId/duplicate */
export const duplicateBotRequest = z.strictObject({ name: createBotRequest.shape.name });
export type DuplicateBotRequest = z.output<typeof duplicateBotRequest>;

/** POST /admin/projects/:id/bots/:botId/rollback */
export const rollbackRequest = z.strictObject({
  number: z.number({ error: 'number of the version is required' }).int().min(1).max(2_147_483_647),
  note: versionNote,
  over: deployBotRequest.shape.over,
  /** Also where samples are not as expected. */
  force: z.boolean('force must be true or false').default(false),
});
export type RollbackRequest = z.output<typeof rollbackRequest>;

const RUN_STATUSES = ['ok', 'failed', 'timeout', 'out-of-memory'] as const;

/** GET /admin/projects/:id/bots/:botId/runs */
export const runsQuery = z.strictObject({
  status: z.enum(RUN_STATUSES, { error: `status must be one of ${RUN_STATUSES.join(', ')}` }).optional(),
  /** Those that this request made (X-Request-Id of its answer). */
  requestId: z
    .string()
    .min(1, 'requestId must not be empty')
    .max(200, 'requestId has at most 200 characters')
    .optional(),
  _count: countParam(),
  cursor: cursorParam,
});
export type RunsQuery = z.output<typeof runsQuery>;
