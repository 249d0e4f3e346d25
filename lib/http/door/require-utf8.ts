import { AppError } from '#lib/base/errors.ts';

/** No ASCII character: the only escapes that can be wrong, and rare ones. */
const HIGH = /%[89a-f][\da-f]/i;
const LONE = /%(?![\da-f]{2})/gi;

/**
 * Throws 400 where what is escaped in a query or a form is no UTF-8 (WHATWG URL, application/x-www-form-urlencoded): the standard reads it as U+FFFD, and
 * what was meant would be looked for as something else.
 */
export function requireUtf8(escaped: string, where: 'query' | 'form'): void {
  if (!HIGH.test(escaped)) return;
  try {
    decodeURIComponent(escaped.replace(LONE, '%25'));
  } catch (cause) {
    throw new AppError('structure', `The ${where} is not UTF-8`, { cause });
  }
}
