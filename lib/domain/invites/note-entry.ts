import { db } from '#lib/infra/db/client.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { awaitsEntry, markEntered } from '../standing/mark-entered.ts';

type Entry = { projectId: string; membershipId: string; authMethod: LoginRow['authMethod']; userRef: string };

/**
 * Somebody comes in by this membership: with that an invitation is accepted, whatever way they took. A password tells it by itself
 * (`toInviteStatus`), and a program was never invited.
 */
export async function noteEntry(ctx: Ctx, entry: Entry): Promise<void> {
  const { projectId, membershipId, authMethod, userRef } = entry;
  if (authMethod === 'password' || authMethod === 'client') return;
  if (!(await awaitsEntry(ctx.write?.tx ?? db(), entry))) return;
  await write(ctx, async (w) => {
    if (!(await markEntered(w.tx, entry))) return w.unchanged();
    w.stands({ projectId, membershipId });
    const after = { by: authMethod, user: userRef };
    w.audit({ projectId, action: 'invite.accept', target: `ProjectMembership/${membershipId}`, after });
  });
}
