import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { db } from '#lib/infra/db/client.ts';
import type { ChangeRow } from '#lib/infra/db/schema/account-change.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { Ctx, Write } from '../access/context.ts';
import { stateOf } from '../account-changes/change-link.ts';
import { awaitsConfirmation, endChange, findDue, lockWaiting } from '../account-changes/change-rows.ts';
import { type FoundUser, findUser } from '../accounts/find-user.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { write } from '../audit/write.ts';
import { membersOf } from '../directory/members-of.ts';
import { createMailedLink } from '../links/create-mailed-link.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { endLogins } from '../sessions/end-logins.ts';
import { toResource } from '../store/row.ts';
import { requireUnenforced } from '../ways/require-unenforced.ts';
import { moveAddress } from './change-address.ts';
import { eraseAccount } from './erase-account.ts';
import { lockUser } from './lock-user.ts';
import { takeFactors } from './take-factors.ts';

/** Of one round. */
const MOST = 200;

/** Makes the changes of accounts whose time has come. Of several processes at once each is made by one; what fails is not tried again. */
export async function applyDueChanges(ctx: Ctx, stopped?: AbortSignal, now = new Date()): Promise<void> {
  for (const id of await findDue(db(), now, MOST)) {
    if (stopped?.aborted) return;
    await applyChange(ctx, id, now).catch((error: unknown) =>
      log.warn({ err: error }, 'a change of an account waits on'),
    );
  }
}

/** Makes one of them, if it is due, confirmed where that is asked for, and not stopped. */
export async function applyChange(ctx: Ctx, id: string, now = new Date()): Promise<void> {
  try {
    await write(ctx, (w) => apply(w, id, now));
  } catch (error) {
    // What stands against it is told by 4xx: a database that is away is asked again.
    if (!(error instanceof AppError) || !FINAL.has(error.code)) throw error;
    await write(ctx, (w) => giveUp(w, id, error.message));
  }
}

const FINAL: ReadonlySet<string> = new Set(['conflict', 'invalid', 'not-found', 'gone', 'forbidden']);

async function apply(w: Write, id: string, now: Date): Promise<void> {
  const row = await lockWaiting(w, id);
  if (!row || row.dueAt > now) return w.unchanged();
  if (awaitsConfirmation(row)) {
    if (row.expiresAt > now) return w.unchanged();
    await endChange(w, id, 'lapsed');
    return noteEnd(w, row, 'Nobody confirmed the new address in time');
  }
  const user = await findUser(row.userId, row.scope, w.tx);
  if (user?.scope !== row.scope) throw new AppError('conflict', 'The account is not there any more');
  await endChange(w, id, 'done');
  if (row.kind === 'erase') await eraseAccount(w, row, user);
  else if (row.kind === 'factors') await applyFactors(w, row, user);
  else if (row.projectId === null) await applyOwn(w, row, user);
  else await applyAddress(w, row, user);
}

async function giveUp(w: Write, id: string, why: string): Promise<void> {
  const row = await lockWaiting(w, id);
  if (!row) return w.unchanged();
  await endChange(w, id, 'failed');
  noteEnd(w, row, why);
  if (row.kind === 'erase') await tellNotErased(w, row, why);
}

/** Who asked to be erased takes it for done. */
async function tellNotErased(w: Write, { userId, scope }: ChangeRow, why: string): Promise<void> {
  const user = await findUser(userId, scope, w.tx);
  if (!user?.email) return;
  const params = { url: `${env().BASE_URL}/account`, why };
  await queueMail(w.tx, { projectId: user.scope, template: 'erasure-failed', recipient: user.email, params });
}

function noteEnd(w: Write, row: ChangeRow, why: string): void {
  const after = { kind: row.kind, state: stateOf(row), why };
  for (const projectId of new Set([row.scope, row.projectId ?? row.scope]))
    w.audit({ projectId, action: 'user.change.fail', target: `User/${row.userId}`, after, outcome: 4 });
}

/** The project may say so still: they are its member, and no other project has come to know them. */
async function applyFactors(w: Write, row: ChangeRow, user: FoundUser): Promise<void> {
  const { projectId, membershipId, detail, askedBy } = row;
  if (projectId === null || membershipId === null) throw new AppError('conflict', 'Nobody asked for it');
  const { current } = await lockMember(w.tx, projectId, membershipId);
  const isTheirs = toResource<ProjectMembership>(current).user.reference === `User/${user.id}`;
  const all = await membersOf(user.id, w.tx);
  const isElsewhere = user.scope === SERVER_SCOPE && all.some((member) => member.projectId !== projectId);
  if (!isTheirs || (isElsewhere && !detail.above))
    throw new AppError('conflict', 'Other projects know this person now');
  const after = await takeFactors(w, user, { ...detail, author: askedBy });
  w.audit({ projectId, action: 'user.factor.reset', target: `ProjectMembership/${membershipId}`, after });
}

async function applyAddress(w: Write, { scope, askedBy, detail }: ChangeRow, user: FoundUser): Promise<void> {
  const { email = '', profiles = false } = detail;
  const locked = await lockUser(w.tx, user, [user.email, email]);
  const { members } = await moveAddress(w, locked, { email, profiles, author: askedBy });
  const projectName = members[0]?.project.name ?? '';
  if (user.email) {
    const params = { projectName, url: `${env().BASE_URL}/signin` };
    await queueMail(w.tx, { projectId: scope, template: 'email-changed', recipient: user.email, params });
  }
  const kind = (await hasPassword(w.tx, user.id)) ? 'reset' : 'verify-email';
  const { url, code } = await createMailedLink(w, { kind, userId: user.id, projectId: scope });
  const template = kind === 'reset' ? 'email-confirm' : 'verify';
  await queueMail(w.tx, { projectId: scope, template, recipient: email, params: { projectName, url, code } });
}

/** The person's own: the new address is proven, and every session ends, as it was in whoever's hands. */
async function applyOwn(w: Write, { scope, askedBy, detail }: ChangeRow, user: FoundUser): Promise<void> {
  const { email = '' } = detail;
  const locked = await lockUser(w.tx, user, [user.email, email]);
  if (user.email) await requireUnenforced(w.tx, user.id, user.email);
  await requireNoInvite(w, user);
  await moveAddress(w, locked, { email, profiles: false, author: askedBy, verified: true });
  const sessions = await endLogins(w, { user: `User/${user.id}` });
  w.audit({ projectId: scope, action: 'login.revoke', target: `User/${user.id}`, before: { sessions } });
  const params = { url: `${env().BASE_URL}/signin` };
  for (const recipient of [user.email, email])
    if (recipient) await queueMail(w.tx, { projectId: scope, template: 'own-address-changed', recipient, params });
}

/** Whom a project has invited at an address that they never proved would enter there by having proven another. Throws 409. */
export async function requireNoInvite(w: Pick<Write, 'tx'>, user: FoundUser): Promise<void> {
  if (user.emailVerified) return;
  const all = await membersOf(user.id, w.tx);
  if (!all.some(({ awaitsProof }) => awaitsProof)) return;
  throw new AppError(
    'conflict',
    'You are invited to a project at your present address: confirm that first, by the link of that mail',
  );
}
