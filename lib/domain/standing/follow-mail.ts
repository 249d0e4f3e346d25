import type { Queryable } from '#lib/infra/db/client.ts';
import type { ChangedMail } from '#lib/infra/mail/changed-mail.ts';
import { refreshInvites } from './refresh-invites.ts';

/** A mail got lost, or found its way after all: the invitation that it brought stands otherwise. In the transaction that notes it. */
export async function followMail(tx: Queryable, { projectId, membershipId }: ChangedMail): Promise<void> {
  if (membershipId) await refreshInvites(tx, projectId, [membershipId]);
}
