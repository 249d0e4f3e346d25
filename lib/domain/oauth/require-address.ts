import type { Actor, Ctx } from '../access/context.ts';
import { isFrom } from '../bounds/within-bounds.ts';
import { oauthError } from './oauth-error.ts';

/** That the project is entered from where tokens are asked for (contract §1.2). */
export function requireAddress({ remoteAddress }: Ctx, { bounds }: Actor): void {
  if (!isFrom(bounds, remoteAddress)) throw oauthError('invalid_request', 'This IP address is not allowed');
}
