import { and, eq, isNull } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { newSecret } from '#lib/base/ids.ts';
import { login } from '#lib/infra/db/schema/identity.ts';
import type { LoginCode } from '#lib/protocol/answers/login.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { type Chosen, codeColumns } from './create-login.ts';
import { findMemberships } from './find-memberships.ts';
import { requireOpenLogin } from './require-open-login.ts';

/** Ends the choice between several memberships: gives the code. Throws 400 for a membership that is not the person's own. */
export async function chooseProfile(ctx: Ctx, loginId: string, membershipId: string): Promise<LoginCode> {
  const row = await requireOpenLogin(loginId);
  const choices = await findMemberships(row.userRef.slice('User/'.length), {
    projectId: row.projectId ?? undefined,
    profileType: row.profileType ?? undefined,
  });
  const chosen = choices.find((choice) => choice.id === membershipId);
  if (!chosen) throw new AppError('invalid', 'Profile not found', { expression: 'profile' });
  return attachMembership(ctx, loginId, row.userRef, { projectId: chosen.projectId, membershipId });
}

/** Compare-and-swap: of two choices at once one wins. */
export async function attachMembership(ctx: Ctx, loginId: string, userRef: string, chosen: Chosen): Promise<LoginCode> {
  const code = newSecret();
  await write(ctx, async (w) => {
    const [won] = await w.tx
      .update(login)
      .set({ ...chosen, ...codeColumns(code) })
      .where(and(eq(login.id, loginId), isNull(login.membershipId), eq(login.revoked, false)))
      .returning({ id: login.id });
    if (!won) throw new AppError('invalid', 'Login already has a membership', { expression: 'login' });
    w.audit({ projectId: chosen.projectId, action: 'login.choose', target: userRef });
  });
  return { login: loginId, code };
}
