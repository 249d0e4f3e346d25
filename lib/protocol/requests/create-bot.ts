import { z } from 'zod';
import { canaryShare } from '../bots/canary.ts';
import { isRunnable } from '../bots/file-names.ts';
import { botFiles } from '../bots/files.ts';
import { plainName } from './plain-name.ts';

export const accessPolicy = z.object({
  reference: z.string().regex(/^AccessPolicy\/[\w.-]+$/, 'must be AccessPolicy/<id>'),
  display: z.string().optional(),
});

/** POST /admin/projects/:id/bot (contract §2.7). */
export const createBotRequest = z.strictObject({
  name: plainName('Bot name is required', 128, 'At most 128 characters'),
  /** The peer's CLI sends an empty one; FHIR has no empty strings. */
  description: z
    .string()
    .max(4096)
    .transform((text) => text.trim() || undefined)
    .optional(),
  runtimeVersion: z.enum(['awslambda', 'vmcontext', 'fission']).optional(),
  // What else a Bot has is judged as in every Bot.
  identifier: z.array(z.looseObject({})).optional(),
  category: z.array(z.looseObject({})).optional(),
  extension: z.array(z.looseObject({})).optional(),
  cronString: z.string().optional(),
  cronTiming: z.looseObject({}).optional(),
  auditEventTrigger: z.string().optional(),
  auditEventDestination: z.array(z.string()).optional(),
  streamingEnabled: z.boolean().optional(),
  accessPolicy: accessPolicy.optional(),
  timeout: z.number().int().min(1).max(900).optional(),
  runAsUser: z.boolean().optional(),
  rawBody: z.boolean().optional(),
  allowedHost: z.array(z.string()).optional(),
  publicWebhook: z.boolean().optional(),
});
export type CreateBotRequest = z.output<typeof createBotRequest>;

/** What the author of a version says of it: a few lines. */
export const versionNote = z
  .string()
  .max(2000, 'note has at most 2,000 characters')
  .transform((text) => text.trim() || undefined)
  .optional();

/** POST /fhir/R4/Bot/:id/$deploy (contract §5.5). */
export const deployBotRequest = z.strictObject({
  code: z.string().optional(),
  filename: z
    .string()
    .max(1024, 'filename has at most 1,024 characters')
    .regex(/^\P{Cc}+$/u, 'filename has a character that is not allowed')
    .refine(isRunnable, 'filename must end in .ts or .js')
    .optional(),
  /** What it imports, and packages in node_modules; without `code` that, too. */
  files: botFiles.optional(),
  note: versionNote,
  /** Also when samples of the bot are not as expected. */
  force: z.boolean().optional(),
  /** The percentage of runs that it is tried on, beside what is live. */
  canary: canaryShare.optional(),
  /** The version that is live, as the caller knows it; 0 for none. */
  over: z.int({ error: 'over must be the number of a version' }).min(0).max(2_147_483_647).optional(),
});
