import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { type Ctx, callerOf, requireAccount, requireActor } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { endLogins } from './end-logins.ts';
import { findLogin } from './find-login.ts';
import { projectsOfUser } from './projects-of-user.ts';
import { revokeLogin } from './revoke-login.ts';

/** Ends one of the caller's own sessions, in whichever project, never one of whom they act for. Another person's is a 404, like none. */
export async function revokeOwnLogin(ctx: Ctx, loginId: string): Promise<void> {
  const { user, projectId } = callerOf(requireAccount(ctx));
  if (!isUuid(loginId)) throw notFound();
  // Most often it is one of here.
  const row =
    (await findLogin({ projectId, id: loginId })) ?? (await findIn(await projectsOfUser(db(), user), loginId));
  if (row?.userRef !== user) throw notFound();
  await revokeLogin(ctx, row);
}

async function findIn(projects: string[], id: string) {
  for (const projectId of projects) {
    const row = await findLogin({ projectId, id });
    if (row) return row;
  }
  return undefined;
}

/** Sign-out: ends the login that the request came with. A client that came with Basic has none. */
export async function endCurrentLogin(ctx: Ctx): Promise<void> {
  const { user, loginId, projectId } = callerOf(requireActor(ctx));
  if (loginId) await revokeLogin(ctx, { projectId, id: loginId, userRef: user });
}

/** Ends every other session of the caller, those too that nobody lists and sign-ins that are half done. Of whom the caller acts for, none. */
export async function revokeOtherLogins(ctx: Ctx): Promise<void> {
  const { user, loginId, projectId, membershipId } = callerOf(requireAccount(ctx));
  const which = user.startsWith('User/') ? { user, keepLoginId: loginId } : { projectId, membershipId };
  await write(ctx, async (w) => {
    const ended = await endLogins(w, which);
    if (ended > 0) w.audit({ projectId, action: 'login.revoke', target: user, before: { sessions: ended } });
    else w.unchanged();
  });
}
