import { AppError } from '#lib/base/errors.ts';
import { newId, newSecret, SERVER_SCOPE } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { login } from '#lib/infra/db/schema/identity.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { findClient } from '../clients/find-client.ts';

/** What a sign-in asks for (contract §1.5): shared by login and registration. */
export type LoginRequestFields = {
  clientId?: string;
  projectId?: string;
  resourceType?: string;
  scope?: string;
  nonce?: string;
  remember?: boolean;
  codeChallenge?: string;
  codeChallengeMethod?: 'plain' | 'S256';
  redirectUri?: string;
};

export type Chosen = { projectId: string; membershipId: string };

/** A code lives for five minutes (RFC 6749 §4.1.2 recommends ten at most). */
const CODE_MS = 5 * 60_000;

/** Stores a sign-in that has not granted tokens yet; with a membership it gets its code at once. */
export async function createLogin(
  ctx: Ctx,
  userId: string,
  fields: LoginRequestFields,
  chosen?: Chosen,
): Promise<Omit<LoginResult, 'memberships'>> {
  const id = newId();
  const code = chosen ? newSecret() : undefined;
  await write(ctx, async (w) => {
    await w.tx.insert(login).values({
      id,
      userRef: `User/${userId}`,
      authMethod: 'password',
      authTime: new Date(),
      projectId: chosen?.projectId ?? fields.projectId,
      membershipId: chosen?.membershipId,
      clientId: fields.clientId?.toLowerCase(),
      profileType: fields.resourceType,
      scope: scopeOf(fields),
      nonce: fields.nonce,
      codeChallenge: fields.codeChallenge,
      codeChallengeMethod: fields.codeChallenge ? (fields.codeChallengeMethod ?? 'plain') : undefined,
      redirectUri: fields.redirectUri,
      remoteAddress: ctx.remoteAddress,
      userAgent: ctx.userAgent,
      ...(code ? codeColumns(code) : {}),
    });
    w.audit({ projectId: chosen?.projectId ?? SERVER_SCOPE, action: 'login.password', target: `User/${userId}` });
  });
  return { login: id, ...(code ? { code } : {}) };
}

export function codeColumns(code: string): { codeHash: string; codeExpiresAt: Date } {
  return { codeHash: hashSecret(code), codeExpiresAt: new Date(Date.now() + CODE_MS) };
}

/** The client must exist (404), and then decides the project; another project or origin than its own is a mistake (400). */
export async function projectOfRequest(ctx: Ctx, fields: LoginRequestFields): Promise<string | undefined> {
  if (!fields.clientId) return fields.projectId;
  const client = await findClient(fields.clientId);
  if (!client) throw new AppError('not-found', 'Client not found', { expression: 'clientId' });
  const { allowedOrigin = [] } = client.resource;
  if (
    ctx.origin &&
    allowedOrigin.length > 0 &&
    !allowedOrigin.some((origin) => origin === '*' || origin === ctx.origin)
  ) {
    throw new AppError('invalid', 'This client does not sign in from this origin', { expression: 'clientId' });
  }
  if (fields.projectId && fields.projectId !== client.projectId) {
    throw new AppError('invalid', 'Client and project do not match', { expression: 'projectId' });
  }
  return client.projectId;
}

function scopeOf(fields: LoginRequestFields): string {
  const scope = fields.scope?.trim() || 'openid';
  return fields.remember && !/\boffline/.test(scope) ? `${scope} offline` : scope;
}
