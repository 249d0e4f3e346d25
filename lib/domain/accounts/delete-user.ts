import { eq } from 'drizzle-orm';
import { credential, userLogin } from '#lib/infra/db/schema/identity.ts';
import type { Write } from '../access/context.ts';
import { deleteLinks } from '../links/delete-links.ts';
import { deleteRow } from '../store/delete-row.ts';
import type { Row } from '../store/row.ts';

/** Removes a locked User with everything that signs it in. Its history stays. */
export async function deleteUser(w: Write, row: Row, author: string | undefined): Promise<void> {
  await w.tx.delete(userLogin).where(eq(userLogin.userId, row.id));
  await w.tx.delete(credential).where(eq(credential.userId, row.id));
  await deleteLinks(w.tx, row.id);
  await deleteRow(w, row, author);
  w.audit({ projectId: row.projectId, action: 'user.delete', target: `User/${row.id}` });
}
