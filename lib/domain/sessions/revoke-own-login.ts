import { and, eq } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { login } from '#lib/infra/db/schema/identity.ts';
import { type Ctx, callerOf, requireActor } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { endLogins } from './end-logins.ts';
import { revokeLogin } from './revoke-login.ts';

/** Ends one of the caller's own sessions, never one of whom they act for. Another person's is a 404, like none. */
export async function revokeOwnLogin(ctx: Ctx, loginId: string): Promise<void> {
  const actor = callerOf(requireActor(ctx));
  const [row] = isUuid(loginId)
    ? await db()
        .select()
        .from(login)
        .where(and(eq(login.id, loginId), eq(login.userRef, actor.user)))
    : [];
  if (!row) throw notFound();
  await revokeLogin(ctx, row);
}

/** Sign-out: ends the login that the request came with. A client that came with Basic has none. */
export async function endCurrentLogin(ctx: Ctx): Promise<void> {
  const actor = callerOf(requireActor(ctx));
  if (actor.loginId) await revokeLogin(ctx, { id: actor.loginId, userRef: actor.user, projectId: actor.projectId });
}

/** Ends every other session of the caller, those too that nobody lists and sign-ins that are half done. Of whom the caller acts for, none. */
export async function revokeOtherLogins(ctx: Ctx): Promise<void> {
  const { user, loginId, projectId } = callerOf(requireActor(ctx));
  await write(ctx, async (w) => {
    const ended = await endLogins(w, { user, keepLoginId: loginId });
    if (ended > 0) w.audit({ projectId, action: 'login.revoke', target: user, before: { sessions: ended } });
    else w.unchanged();
  });
}
