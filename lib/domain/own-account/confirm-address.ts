import { notFound } from '#lib/base/errors.ts';
import type { ChangeLink } from '#lib/protocol/account-changes/answers.ts';
import type { Ctx } from '../access/context.ts';
import { notWaiting, readChangeLink, requireChangeLink, stateOf } from '../account-changes/change-link.ts';
import { lockWaiting, noteConfirmed } from '../account-changes/change-rows.ts';
import { write } from '../audit/write.ts';
import { applyChange } from '../people/apply-change.ts';

/**
 * POST /auth/changes/confirm: the new address is its person's. The change is made as soon as it is due. Throws 404 for an unknown link, and 400
 * for one that has ended or was confirmed already.
 */
export async function confirmAddress(ctx: Ctx, link: { id: string; secret: string }): Promise<ChangeLink> {
  const { row, purpose } = await requireChangeLink(ctx, link);
  if (purpose !== 'confirm') throw notFound();
  await write(ctx, async (w) => {
    const current = await lockWaiting(w, row.id);
    const state = current ? stateOf(current) : stateOf((await requireChangeLink(ctx, link)).row);
    if (state !== 'waiting' || !current) throw notWaiting(state);
    if (current.confirmedAt) return w.unchanged();
    await noteConfirmed(w, row.id);
    w.audit({ projectId: row.scope, action: 'user.change.confirm', target: `User/${row.userId}` });
  });
  if (row.dueAt <= new Date()) await applyChange(ctx, row.id);
  return readChangeLink(ctx, link);
}
