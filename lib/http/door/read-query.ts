import type { z } from 'zod';
import { AppError } from '#lib/base/errors.ts';
import { toIssues } from '#lib/protocol/zod-issues.ts';

/** The parameters of a query, checked against `schema`: unknown, repeated and wrong ones are one issue each (400). Empty means "not given". */
export function readQuery<T>(url: URL, schema: z.ZodType<T>): T {
  const given: Record<string, string> = {};
  for (const [name, value] of url.searchParams) {
    if (value === '') continue;
    if (Object.hasOwn(given, name)) throw new AppError('invalid', `${name} may stand only once`, { expression: name });
    if (value.includes('\u0000') || !value.isWellFormed()) {
      throw new AppError('invalid', `${name} has a character that is not allowed`, { expression: name });
    }
    Object.defineProperty(given, name, { value, enumerable: true });
  }
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new AppError('invalid', 'Invalid query', {
    issues: toIssues(result.error),
  });
}
