import { eq } from 'drizzle-orm';
import { credential, userLogin } from '#lib/infra/db/schema/identity.ts';
import type { Write } from '../access/context.ts';
import { supersedeLinks } from '../links/supersede-links.ts';
import { endLogins } from '../sessions/end-logins.ts';
import { deleteRow } from '../store/delete-row.ts';
import type { Row } from '../store/row.ts';
import { endPasskeys } from '../webauthn/end-passkeys.ts';

/**
 * Deletes a locked User: its address is free, its sessions and links end, nobody can sign in with it. Its history stays, and its
 * password and passkeys for as long as it can come back (`restoreUser`, `over.ts`).
 */
export async function deleteUser(w: Write, row: Row, author: string | undefined): Promise<void> {
  await w.tx.delete(userLogin).where(eq(userLogin.userId, row.id));
  await w.tx.update(credential).set({ endedAt: new Date() }).where(eq(credential.userId, row.id));
  await endPasskeys(w, row.id);
  await supersedeLinks(w, { userId: row.id });
  await endLogins(w, { user: `User/${row.id}` });
  await deleteRow(w, row, author);
  w.audit({ projectId: row.projectId, action: 'user.delete', target: `User/${row.id}` });
}
