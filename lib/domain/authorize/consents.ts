import { and, eq } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { consent } from '#lib/infra/db/schema/consent.ts';
import { isResourceScope, splitScopes } from '#lib/protocol/smart-scopes.ts';
import type { Write } from '../access/context.ts';
import { SCOPES } from '../oauth/scopes.ts';
import type { AuthorizeRequest } from './authorize-request.ts';

/** Whether the person has let the app have all that it asks for, and need not be asked again. */
export async function hasConsent(request: AuthorizeRequest, userId: string): Promise<boolean> {
  const { client } = request.app;
  if (!client || !isRemembered(request)) return false;
  const known = await findScopes(client.projectId, userId, client.id);
  return known !== undefined && agreedTo(request).every((scope) => known.includes(scope));
}

/**
 * Not of a program that is built in: anybody's may use its name. Nor where the answer goes by a scheme that any program on a telephone can claim,
 * unless the app has shown who it is (RFC 8252 §8.6).
 */
export function isRemembered({ app, redirectUri, needsProof }: AuthorizeRequest): boolean {
  return app.client !== undefined && (needsProof || /^https?:/.test(redirectUri));
}

async function findScopes(projectId: string, userId: string, clientId: string): Promise<string[] | undefined> {
  const [row] = await db()
    .select({ scope: consent.scope })
    .from(consent)
    .where(
      and(eq(consent.projectId, projectId), eq(consent.userRef, `User/${userId}`), eq(consent.clientId, clientId)),
    );
  return row?.scope.split(' ');
}

/** What is asked of a person: what has no force is not shown, and not kept. */
export function askedScopes({ scope, launch }: AuthorizeRequest): string[] {
  const isMeant = (one: string) => SCOPES.includes(one) && (one !== 'launch' || launch !== undefined);
  return splitScopes(scope).filter((one) => isResourceScope(one) || isMeant(one));
}

/** Which scopes for resources leave nothing out: who asks for none may all that the person may, and has asked for more than who asks for some. */
export const WHOLE = '*';

function agreedTo(request: AuthorizeRequest): string[] {
  const scopes = askedScopes(request);
  return scopes.some(isResourceScope) ? scopes : [...scopes, WHOLE];
}

/** Keeps what the person agreed to, beside what they had before. */
export async function noteConsent(w: Write, request: AuthorizeRequest, userId: string): Promise<void> {
  const { client } = request.app;
  if (!client) return;
  const { projectId, id: clientId } = client;
  const before = (await findScopes(projectId, userId, clientId)) ?? [];
  const scope = [...new Set([...before, ...agreedTo(request)])].sort().join(' ');
  const row = { projectId, userRef: `User/${userId}`, clientId, scope, grantedAt: new Date() };
  await w.tx
    .insert(consent)
    .values(row)
    .onConflictDoUpdate({
      target: [consent.projectId, consent.userRef, consent.clientId],
      set: { scope, grantedAt: row.grantedAt },
    });
  w.audit({ projectId, action: 'consent.grant', target: `ClientApplication/${clientId}`, after: { scope } });
}
