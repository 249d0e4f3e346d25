import { z } from 'zod';

const reference = z.object({
  reference: z.string().regex(/^AccessPolicy\/[\w.-]+$/, 'must be AccessPolicy/<id>'),
  display: z.string().optional(),
});

/** POST /admin/projects/:id/bot (contract §2.7). */
export const createBotRequest = z.strictObject({
  name: z
    .string({ error: 'Bot name is required' })
    .trim()
    .min(1, 'Bot name is required')
    .max(128, 'At most 128 characters'),
  /** The peer's CLI sends an empty one; FHIR has no empty strings. */
  description: z
    .string()
    .max(4096)
    .transform((text) => text.trim() || undefined)
    .optional(),
  runtimeVersion: z.enum(['awslambda', 'vmcontext', 'fission']).optional(),
  identifier: z.array(z.object({ system: z.string().optional(), value: z.string().min(1) })).optional(),
  accessPolicy: reference.optional(),
  timeout: z.number().int().min(1).max(900).optional(),
  runAsUser: z.boolean().optional(),
  rawBody: z.boolean().optional(),
  publicWebhook: z.boolean().optional(),
});
export type CreateBotRequest = z.output<typeof createBotRequest>;

/** POST /fhir/R4/Bot/:id/$deploy (contract §5.5). */
export const deployBotRequest = z.object({
  code: z.string().optional(),
  filename: z
    .string()
    .regex(/^[\w.-]{1,120}\.(ts|js|mts|mjs|cts|cjs)$/, 'filename must end in .ts or .js')
    .optional(),
});
