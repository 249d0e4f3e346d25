import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { createUser } from '#lib/domain/accounts/create-user.ts';
import { write } from '#lib/domain/audit/write.ts';
import { provisionClient } from '#lib/domain/memberships/provision-client.ts';
import { signTokens } from '#lib/domain/oauth/sign-tokens.ts';
import { insertProject } from '#lib/domain/projects/insert-project.ts';
import { registerProject } from '#lib/domain/projects/register-project.ts';
import { actorOfLogin } from '#lib/domain/sessions/actor-of-login.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { type Answer, type Call, callApi } from './call-api.ts';
import { db } from './set-up/own-db.ts';

export const START_CTX: Ctx = { requestId: 'test', remoteAddress: '', userAgent: '' };

/** A registered project: its owner is signed in. */
export type World = {
  projectId: string;
  owner: { userId: string; membershipId: string; email: string; bearer: string };
  /** A call below /admin/projects/{projectId}, as the owner unless `bearer` says otherwise (`null`: nobody). */
  call(method: string, path: string, call?: Call & { bearer?: string | null }): Promise<Answer>;
  /** An invite that must succeed; returns the membership. */
  invite(fields?: Record<string, unknown>): Promise<{ id: string; user: Ref; profile: Ref } & Record<string, unknown>>;
};
type Ref = { reference: string; display?: string };

export function anEmail(): string {
  return `p${newId().slice(-12)}@example.com`;
}

export async function createWorld(): Promise<World> {
  const email = anEmail();
  const { userId, projectId, membershipId } = await write(START_CTX, async (w, ctx) => {
    const user = await createUser(w, { scope: SERVER_SCOPE, firstName: 'Olga', lastName: 'Owner', email });
    const input = { userId: user.id, firstName: 'Olga', lastName: 'Owner', email, projectName: 'Test project' };
    return { userId: user.id, ...(await registerProject(ctx, input)) };
  });
  const bearer = await signIn(projectId, membershipId, `User/${userId}`);
  const call: World['call'] = (method, path, { bearer: other, ...rest } = {}) =>
    callApi(other === null ? undefined : (other ?? bearer), method, `/admin/projects/${projectId}${path}`, rest);
  return {
    projectId,
    owner: { userId, membershipId, email, bearer },
    call,
    async invite(fields = {}) {
      const answer = await call('POST', '/invite', { body: invitation(fields) });
      if (answer.status !== 200) throw new Error(`Invite failed: ${answer.text}`);
      return answer.body;
    },
  };
}

/** A valid invite, changed by `fields`. */
export function invitation(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { resourceType: 'Practitioner', firstName: 'Ann', lastName: 'Invited', email: anEmail(), ...fields };
}

/** The Authorization header of a live login with this membership. */
export async function signIn(projectId: string, membershipId: string, userRef: string): Promise<string> {
  const id = newId();
  const now = new Date();
  const scope = 'openid';
  const row = {
    id,
    userRef,
    authMethod: 'password',
    authTime: now,
    projectId,
    membershipId,
    scope,
    granted: true,
  } as const;
  await db().insert(login).values(row);
  const actor = await actorOfLogin({ projectId, id });
  const tokens = await signTokens({ actor, loginId: id, scope, authTime: now });
  return `Bearer ${tokens.access_token}`;
}

/** The Authorization header of a super-admin client. */
export async function createSuperAdmin(): Promise<string> {
  return write(START_CTX, async (w) => {
    const project = { resourceType: 'Project', name: 'Super', superAdmin: true } as const;
    const { id } = await insertProject(w, project, { author: undefined });
    const client = { resourceType: 'ClientApplication', name: 'Root' } as const;
    const { row, secret } = await provisionClient(w, id, client, { author: undefined, admin: true });
    return `Basic ${Buffer.from(`${row.id}:${secret}`).toString('base64')}`;
  });
}
