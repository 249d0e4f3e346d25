import { z } from 'zod';

/**
 * An address to sign in with: trimmed, in lower case, at most 72 characters (contract §1.5). `field`: what the messages call it.
 * The length is looked at first, since it costs less.
 */
export function emailAddress(field = 'email', wrong = `${field} must be an e-mail address`) {
  return z
    .string({ error: wrong })
    .trim()
    .toLowerCase()
    .max(72, `${field} must be at most 72 characters`)
    .pipe(z.email({ error: wrong }));
}
