import { z } from 'zod';

/** POST /auth/switch. PKCE is not optional here: the code is redeemed by the browser that asked. */
export const switchRequest = z.strictObject({
  membership: z.uuid({ error: 'membership must be the id of a membership' }),
  codeChallenge: z
    .string({ error: 'codeChallenge is required' })
    .regex(/^[\w~.-]{43,128}$/, 'codeChallenge must be 43 to 128 URL-safe characters'),
  // A page over plain http has no SHA-256 of the browser's.
  codeChallengeMethod: z.enum(['S256', 'plain'], { error: 'codeChallengeMethod must be S256 or plain' }),
});
export type SwitchRequest = z.output<typeof switchRequest>;
