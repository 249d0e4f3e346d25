import { createHash } from 'node:crypto';
import { newId, newSecret, SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { createUser } from '#lib/domain/accounts/create-user.ts';
import { write } from '#lib/domain/audit/write.ts';
import { endMembership } from '#lib/domain/memberships/end-membership.ts';
import { provisionClient } from '#lib/domain/memberships/provision-client.ts';
import { saveMembership } from '#lib/domain/memberships/save-membership.ts';
import { registerProject } from '#lib/domain/projects/register-project.ts';
import { createLogin, type LoginRequestFields } from '#lib/domain/sign-in/create-login.ts';
import { lockRow, requireLive } from '#lib/domain/store/find-row.ts';
import { toResource } from '#lib/domain/store/row.ts';
import { hashPassword } from '#lib/infra/crypto/password.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { callAuth } from './call-auth.ts';

export const CTX: Ctx = { requestId: 'test', remoteAddress: '', userAgent: '' };
export const PASSWORD = 'Violet-Hammock-41';

/** Somebody with a project of their own, as the registration makes them. */
export type Owner = { userId: string; email: string; projectId: string; membershipId: string };

let hash: Promise<string> | undefined;

/** One hash for everybody: it is slow by design. */
function passwordHash(): Promise<string> {
  hash ??= hashPassword(PASSWORD);
  return hash;
}

/** A server-scoped person without any membership. */
export async function makePerson(): Promise<{ userId: string; email: string }> {
  const email = `${newId().slice(-12)}@example.com`;
  const secretHash = await passwordHash();
  const person = { scope: SERVER_SCOPE, firstName: 'Ada', lastName: 'Stone', email, passwordHash: secretHash };
  const row = await write(CTX, (w) => createUser(w, person));
  return { userId: row.id, email };
}

export async function makeOwner(): Promise<Owner> {
  const { userId, email } = await makePerson();
  return { userId, email, ...(await addProject(userId, email)) };
}

/** A further project of a person, who is its administrator. */
export async function addProject(userId: string, email: string): Promise<{ projectId: string; membershipId: string }> {
  const input = { userId, email, firstName: 'Ada', lastName: 'Stone', projectName: 'Stone Clinic' };
  const made = await write(CTX, (w) => registerProject({ ...CTX, write: w }, input));
  return made;
}

export type TestClient = { id: string; secret: string; basic: string; membershipId: string; profile: string };

/** A client of the project that can sign in. */
export async function makeClient(
  projectId: string,
  resource: Partial<ClientApplication> = {},
  options: { admin?: boolean; secret?: string } = {},
): Promise<TestClient> {
  const client: ClientApplication = { resourceType: 'ClientApplication', name: 'Program', ...resource };
  const made = await write(CTX, (w) => provisionClient(w, projectId, client, { author: undefined, ...options }));
  const { id } = made.row;
  const { secret } = made;
  return {
    id,
    secret,
    basic: toBasic(id, secret),
    membershipId: made.membership.id,
    profile: `ClientApplication/${id}`,
  };
}

export function toBasic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

type Membership = { projectId: string; membershipId: string };

/** As an administrator does it, without the guards of the last one. */
export async function changeMember(of: Membership, change: Partial<ProjectMembership>): Promise<void> {
  await write(CTX, async (w) => {
    const row = requireLive(await lockRow(w.tx, of.projectId, 'ProjectMembership', of.membershipId));
    await saveMembership(w, row, { ...toResource<ProjectMembership>(row), ...change }, undefined);
  });
}

export async function removeMember(of: Membership): Promise<void> {
  await write(CTX, async (w) => {
    const row = requireLive(await lockRow(w.tx, of.projectId, 'ProjectMembership', of.membershipId));
    await endMembership(w, row, undefined);
  });
}

export type Started = { login: string; code: string; verifier: string };

/** A sign-in that waits for its code to be redeemed, with PKCE unless `fields` says otherwise. */
export async function startSession(owner: Owner, fields: LoginRequestFields = {}): Promise<Started> {
  const verifier = newSecret(48);
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
  const all = { codeChallenge, codeChallengeMethod: 'S256' as const, ...fields };
  const { projectId, membershipId } = owner;
  const { login, code } = await createLogin(CTX, owner.userId, all, { chosen: { projectId, membershipId } });
  return { login, code: code ?? '', verifier };
}

export type Tokens = {
  access_token: string;
  id_token: string;
  refresh_token: string;
  [name: string]: unknown;
};

/** Tokens of a person, by the authorization code grant. With `scope: 'openid offline'` there is a refresh token. */
export async function signIn(
  owner: Owner,
  fields: LoginRequestFields = {},
): Promise<{ login: string; tokens: Tokens; access: string }> {
  const { login, code, verifier } = await startSession(owner, fields);
  const { body } = await redeem({
    code,
    code_verifier: verifier,
    ...(fields.clientId && { client_id: fields.clientId }),
  });
  return { login, tokens: body, access: body.access_token };
}

export function redeem(fields: Record<string, string>, headers: Record<string, string> = {}) {
  return askToken({ grant_type: 'authorization_code', ...fields }, headers);
}

export function refresh(token: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  return askToken({ grant_type: 'refresh_token', refresh_token: token, ...fields }, headers);
}

export function askToken(fields: Record<string, string>, headers: Record<string, string> = {}) {
  return callAuth('POST', '/oauth2/token', { body: new URLSearchParams(fields), headers });
}
