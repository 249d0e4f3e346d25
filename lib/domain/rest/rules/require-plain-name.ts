import { AppError } from '#lib/base/errors.ts';
import { plainName } from '#lib/protocol/requests/plain-name.ts';

/** A name that we show and mail is held to one rule, also where it comes as a resource. Throws 400 naming `expression`. */
export function requirePlainName(expression: string, name: unknown): void {
  const parsed = plainName('is required').safeParse(name);
  if (!parsed.success) throw new AppError('invalid', `The name ${parsed.error.issues[0]?.message}`, { expression });
}
