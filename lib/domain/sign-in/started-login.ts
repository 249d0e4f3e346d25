import { and, eq } from 'drizzle-orm';
import { isUuid, SERVER_SCOPE } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { type LoginRow, login } from '#lib/infra/db/schema/login.ts';
import type { AuditAction } from '#lib/protocol/answers/audit-action.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { findLogin, findProjectOfLogin } from '../sessions/find-login.ts';
import { codeColumns, newCode } from './create-login.ts';
import { type Choice, findMemberships, keepOpen, toMemberships } from './find-memberships.ts';
import { askGate, describeNeed, type Gate } from './gate.ts';
import { notOpen, requireStillOpen } from './require-open-login.ts';

/** Each step of a sign-in is one; behind one address a whole hospital may sign in. */
const STEPS_A_NETWORK = 600;

/** A sign-in that has not given its tokens yet, whatever its next step. Its id alone says which: who began it knows that. Throws 400 naming `login`. */
export async function requireStartedLogin(ctx: Ctx, id: string): Promise<LoginRow> {
  if (!isUuid(id)) throw notOpen('login must be a UUID');
  await throttle(`sign-in-step-from:${networkOf(ctx.remoteAddress)}`, STEPS_A_NETWORK);
  const row = (await findLogin({ projectId: SERVER_SCOPE, id })) ?? (await findInProject(id));
  if (!row) throw notOpen('Unknown login: sign in again');
  if (row.granted) throw notOpen('Login already granted');
  requireStillOpen(row);
  return row;
}

async function findInProject(id: string): Promise<LoginRow | undefined> {
  const projectId = await findProjectOfLogin(id);
  return projectId === undefined ? undefined : findLogin({ projectId, id });
}

/**
 * What comes next for it, perhaps with fewer scopes: a second factor, the memberships to choose from, or its code. The code that it had ends,
 * for we keep none that could be told again; one that never had a code (it waits for something else) gets none here.
 */
export async function nextStep(ctx: Ctx, row: LoginRow, action: AuditAction, scope = row.scope): Promise<LoginResult> {
  const { projectId, id, userRef, codeHash } = row;
  const { pass, need, choices } = await lookAtLogin(row);
  const code = pass && row.membershipId && codeHash ? newCode(pass) : undefined;
  const change = { ...(scope === row.scope ? {} : { scope }), ...(code ? codeColumns(code) : {}) };
  if (Object.keys(change).length > 0) {
    const isAsFound = and(eq(login.granted, false), eq(login.revoked, false), eq(login.scope, row.scope));
    await write(ctx, async (w) => {
      const changed = await w.tx
        .update(login)
        .set(change)
        .where(and(eq(login.projectId, projectId), eq(login.id, id), isAsFound))
        .returning({ id: login.id });
      if (changed.length === 0) throw notOpen('Login already granted, or changed meanwhile');
      w.audit({ projectId, action, target: userRef });
    });
  }
  if (need) return { login: id, ...(await describeNeed(id, need)) };
  if (row.membershipId) return { login: id, ...(code ? { code } : {}) };
  return {
    login: id,
    ...(choices.length > 0 ? { memberships: toMemberships(choices) } : {}),
  };
}

type Looked = Gate & {
  /** While it has no membership. */
  choices: Choice[];
  /** The one that it can only be for. */
  only: Choice | undefined;
};

/** What a sign-in that was begun waits for. */
export async function lookAtLogin(row: LoginRow): Promise<Looked> {
  const { projectId, membershipId, limitedTo, userRef, profileType } = row;
  if (membershipId) return { ...(await askGate(db(), row, { projectId, membershipId })), choices: [], only: undefined };
  const limits = { projectId: limitedTo ?? undefined, profileType: profileType ?? undefined };
  const choices = keepOpen(await findMemberships(userRef.slice('User/'.length), limits), row.authMethod);
  const only = limitedTo && choices.length === 1 ? choices[0] : undefined;
  const gate = await askGate(db(), row, { projectId: limits.projectId, membershipId: only?.id });
  return { ...gate, choices, only };
}
