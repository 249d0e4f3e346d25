import { z } from 'zod';
import { parseCursor } from '../cursor.ts';
import { MAX_OFFSET } from '../max-offset.ts';

/** `_count` of a list in the console. */
export function countParam(max = 200, standard = 50) {
  const text = `_count must be a whole number from 1 to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, text)
    .transform(Number)
    .pipe(z.number().min(1, text).max(max, text))
    .default(standard);
}

export const offsetParam = z
  .string()
  .regex(/^\d{1,7}$/, '_offset must be a whole number')
  .transform(Number)
  .pipe(z.number().max(MAX_OFFSET, `_offset must be at most ${MAX_OFFSET}`))
  .default(0);

export const cursorParam = z
  .string()
  .transform((text, context) => parseCursor(text) ?? refuse(context))
  .optional();

function refuse(context: z.RefinementCtx): never {
  context.addIssue({ code: 'custom', message: 'cursor must be the `next` of an earlier answer' });
  return z.NEVER;
}
