import { allows, type Grant, scopesBeyond } from '#lib/protocol/clients/bounds.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { findPlaceFault, isFrom } from '../bounds/within-bounds.ts';
import { oauthError } from './oauth-error.ts';

/** That project and client are entered from where tokens are asked for (contract §1.2). */
export function requireAllowedPlace(ctx: Ctx, actor: Actor): void {
  if (!isFrom(actor.bounds, ctx.remoteAddress)) throw oauthError('invalid_request', 'This IP address is not allowed');
  const fault = findPlaceFault(actor, ctx);
  if (fault) throw oauthError('invalid_request', fault);
}

/** RFC 6749 §5.2: that the client is one that asks in this way. */
export function requireAllowedGrant({ grantType }: Pick<ClientApplication, 'grantType'>, grant: Grant): void {
  if (allows(grantType, grant)) return;
  throw oauthError('unauthorized_client', `This client does not use ${grant}: its grantType says which it uses`);
}

type Scoped = Pick<ClientApplication, 'defaultScope' | 'allowedScope'>;

/** RFC 6749 §3.3: what was asked for, or else the client's own default, or `otherwise`. Throws when the client may not have it all. */
export function scopeFor(client: Scoped, asked: string | null | undefined, otherwise: string): string {
  const scope = asked?.trim() || client.defaultScope?.join(' ') || otherwise;
  requireAllowedScope(client, scope);
  return scope;
}

export function requireAllowedScope({ allowedScope }: Pick<ClientApplication, 'allowedScope'>, scope: string): void {
  const [first] = scopesBeyond(allowedScope, scope);
  if (first !== undefined)
    throw oauthError('invalid_scope', `This client does not get the scope ${first.slice(0, 200)}`);
}
