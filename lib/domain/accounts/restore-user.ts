import { eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { credential } from '#lib/infra/db/schema/identity.ts';
import { together } from '#lib/infra/db/together.ts';
import type { User } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { projectsOf } from '../directory/projects-of.ts';
import { findRow, lockRow } from '../store/find-row.ts';
import { reviveRow } from '../store/revive-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { keepPasskeys } from '../webauthn/end-passkeys.ts';
import { saveAddress } from './save-address.ts';

/**
 * Brings back a User that was deleted in this project, with its address and the password and passkeys that it had. Undefined when there is none: it
 * never was here, or has moved on. Throws 409 when somebody else signs in with its address by now.
 */
export async function restoreUser(
  w: Write,
  projectId: string,
  userId: string,
  author: string | undefined,
): Promise<Row | undefined> {
  const grave = await lockRow(w.tx, projectId, 'User', userId);
  if (!grave?.deleted || (await livedElsewhere(w.tx, grave))) return undefined;
  const row = await reviveRow(w, projectId, 'User', userId, author);
  if (!row) return undefined;
  const { email } = toResource<User>(row);
  if (email) await claimAddress(() => saveAddress(w.tx, userId, projectId, email.toLowerCase()));
  await w.tx.update(credential).set({ endedAt: null }).where(eq(credential.userId, userId));
  await keepPasskeys(w, userId);
  w.audit({ projectId, action: 'user.restore', target: `User/${userId}` });
  return row;
}

/** It was moved to another scope, and is there or ended there: its password was chosen there. */
async function livedElsewhere(tx: Queryable, { projectId, id, lastUpdated }: Row): Promise<boolean> {
  const scopes = new Set([SERVER_SCOPE, ...(await projectsOf(id, tx))]);
  scopes.delete(projectId);
  const rows = await together(...[...scopes].map((scope) => findRow(scope, 'User', id, tx)));
  return rows.some((row) => row && (!row.deleted || row.lastUpdated >= lastUpdated));
}

async function claimAddress(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    if (uniqueViolation(cause) === undefined) throw cause;
    throw new AppError('conflict', 'Another account of this project has the e-mail address of this person by now', {
      cause,
    });
  }
}
