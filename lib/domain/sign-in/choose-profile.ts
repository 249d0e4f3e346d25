import { and, eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { type LoginRow, login } from '#lib/infra/db/schema/login.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { noteEntry } from '../invites/note-entry.ts';
import { type Chosen, codeColumns, newCode } from './create-login.ts';
import { findMemberships } from './find-memberships.ts';
import { askGate, describeNeed } from './gate.ts';
import { notOpen, requireOpenLogin } from './require-open-login.ts';

/**
 * Ends the choice between several memberships: gives the code, or says which factor is wanted for it first. Throws 400 for a membership that
 * is not the person's own.
 */
export async function chooseProfile(ctx: Ctx, loginId: string, membershipId: string): Promise<LoginResult> {
  const row = await requireOpenLogin(loginId);
  const choices = await findMemberships(row.userRef.slice('User/'.length), {
    projectId: row.limitedTo ?? undefined,
    profileType: row.profileType ?? undefined,
  });
  const chosen = choices.find((choice) => choice.id === membershipId);
  if (!chosen) throw new AppError('invalid', 'Profile not found', { expression: 'profile' });
  return attachMembership(ctx, row, { projectId: chosen.projectId, membershipId });
}

/**
 * Moves a login that waits to the project of its membership: of two choices at once one takes it away, and the other finds nothing. While a
 * second factor is wanted it goes on waiting, for that project alone.
 */
export async function attachMembership(ctx: Ctx, waiting: LoginRow, chosen: Chosen): Promise<LoginResult> {
  const { id, userRef } = waiting;
  const q = ctx.write?.tx ?? db();
  const { pass, need } = await askGate(q, waiting, chosen);
  if (!pass) {
    const here = and(eq(login.projectId, SERVER_SCOPE), eq(login.id, id));
    await q.update(login).set({ limitedTo: chosen.projectId }).where(here);
    return { login: id, ...(await describeNeed(id, need)) };
  }
  const code = newCode(pass);
  await write(ctx, async (w) => {
    const [won] = await w.tx
      .delete(login)
      .where(and(eq(login.projectId, SERVER_SCOPE), eq(login.id, id), eq(login.revoked, false)))
      .returning({ id: login.id });
    if (!won) throw notOpen('Login already has a membership');
    await w.tx.insert(login).values({ ...waiting, limitedTo: null, ...chosen, ...codeColumns(code) });
    w.audit({ projectId: chosen.projectId, action: 'login.choose', target: userRef });
  });
  await noteEntry(ctx, { ...chosen, authMethod: waiting.authMethod, userRef });
  return { login: id, code };
}
