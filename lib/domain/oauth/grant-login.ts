import { and, eq } from 'drizzle-orm';
import { newSecret } from '#lib/base/ids.ts';
import { seal } from '#lib/infra/crypto/seal.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { type LoginRow, login } from '#lib/infra/db/schema/login.ts';
import { allows } from '#lib/protocol/clients/bounds.ts';
import { lifetimeSeconds } from '#lib/protocol/fhir/lifetime.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import type { App } from '../clients/find-app.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { revokeLogin } from '../sessions/revoke-login.ts';
import { SEALED } from '../signing/sealed.ts';
import { findEmail } from './find-email.ts';
import { oauthError } from './oauth-error.ts';
import { requireAllowedPlace, requireAllowedScope } from './require-allowed.ts';
import { signTokens, type TokenResponse } from './sign-tokens.ts';

type GrantLoginOptions = {
  /** The client that the login was made for. */
  app: App | undefined;
  /** It showed who it is, so from here on it must. */
  isProven: boolean;
};

/** Makes a login one that is used, once: its first tokens. Throws 401 when its membership is not active any more. */
export async function grantLogin(ctx: Ctx, row: LoginRow, options: GrantLoginOptions): Promise<TokenResponse> {
  const { projectId, id: loginId, scope, nonce, authTime, launch } = row;
  const { value: actor } = await loadActor({
    projectId,
    membershipId: row.membershipId!,
    loginId,
    clientId: row.clientId ?? undefined,
    scope,
    launch,
  });
  if (options.app) requireAllowedScope(options.app.resource, scope);
  requireAllowedPlace(ctx, actor);
  const refreshSecret = wantsRefresh(row, actor, options.app) ? newSecret() : undefined;
  const won = await write({ ...ctx, actor }, async (w) => {
    const granted = await w.tx
      .update(login)
      .set({
        granted: true,
        needsProof: row.needsProof || options.isProven,
        lastUsedAt: new Date(),
        ...(refreshSecret
          ? { refreshHash: hashSecret(refreshSecret), refreshSealed: seal(SEALED.login.purpose, refreshSecret) }
          : {}),
      })
      .where(
        and(eq(login.projectId, projectId), eq(login.id, loginId), eq(login.granted, false), eq(login.revoked, false)),
      )
      .returning({ id: login.id });
    const outcome = granted.length > 0 ? 0 : 4;
    w.audit({ projectId: actor.projectId, action: 'login.grant', target: actor.user, outcome });
    return granted.length > 0;
  });
  if (!won) return refuseReuse(ctx, row);
  const email = await findEmail(actor, scope);
  const { accessTokenLifetime, refreshTokenLifetime, idTokenSignedResponseAlg } = options.app?.resource ?? {};
  return signTokens({
    ...{ actor, loginId, scope, nonce, authTime, proof: row, launch, email, refreshSecret },
    accessSeconds: lifetimeSeconds(accessTokenLifetime),
    refreshSeconds: lifetimeSeconds(refreshTokenLifetime),
    idTokenAlg: idTokenSignedResponseAlg,
  });
}

/** Whoever comes second, later or at the same moment, may be the thief or the victim: the tokens of both end (RFC 6749 §4.1.2). */
export async function refuseReuse(ctx: Ctx, row: LoginRow): Promise<never> {
  await revokeLogin(ctx, row, { isReuse: true });
  throw oauthError('invalid_grant', 'Token code has already granted a token');
}

/** Contract §1.3: only when asked for, never in a super-admin project, nor for a client that does not use them. */
function wantsRefresh(row: LoginRow, actor: Actor, app: App | undefined): boolean {
  const scopes = row.scope.split(' ');
  if (!allows(app?.resource.grantType, 'refresh_token')) return false;
  return !actor.superAdmin && (scopes.includes('offline') || scopes.includes('offline_access'));
}
