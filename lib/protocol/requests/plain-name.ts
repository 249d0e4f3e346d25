import { z } from 'zod';

/**
 * No control characters, no line and paragraph separators, and none that turn the direction of the text that follows (UAX #9 §2.1, 2.2,
 * 2.5): a name is shown in lists, in logs and in the subjects of mails.
 */
const PLAIN = /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u;

const NOT_ALLOWED = 'has a character that is not allowed';

/** What somebody or something is called, trimmed, on one line. */
export function plainName(missing: string, max = 128, tooLong = `must be at most ${max} characters`) {
  return z.string({ error: missing }).trim().min(1, missing).max(max, tooLong).regex(PLAIN, NOT_ALLOWED);
}
