import { z } from 'zod';

/** A person's answer to an app. `request`: the query that /oauth2/authorize was asked with. */
export const authorizationRequest = z.object({
  request: z.string({ error: 'request is required' }).max(16_384, 'request is too long'),
  decision: z.enum(['allow', 'deny'], { error: 'decision must be allow or deny' }),
  membership: z.uuid({ error: 'membership must be the id of a membership' }).optional(),
});
export type AuthorizationRequest = z.output<typeof authorizationRequest>;
