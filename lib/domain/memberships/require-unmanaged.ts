import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { Actor } from '../access/context.ts';
import { refuse } from '../access/refuse.ts';

/**
 * A directory would undo by its next run what is changed by hand of whom it manages. Throws 409 saying which directory, while it is
 * connected. `what` is said to have been changed. A directory itself may.
 */
export async function requireUnmanaged(
  tx: Queryable,
  actor: Actor | undefined,
  { projectId, membershipId }: { projectId: string; membershipId: string },
  what: string,
): Promise<void> {
  if (actor?.scim) return;
  await refuseManaged(tx, projectId, sql`s.membership_id = ${membershipId}`, what);
}

/** As `requireUnmanaged`, of the record that a member stands on: "Practitioner/id". */
export async function requireUnmanagedRecord(
  tx: Queryable,
  actor: Actor | undefined,
  { projectId, profile }: { projectId: string; profile: string },
  what: string,
): Promise<void> {
  if (actor?.scim) return;
  const standing = sql`s.membership_id = any(array(
    select k.membership_id from membership_key k where k.project_id = ${projectId} and k.profile_ref = ${profile}))`;
  await refuseManaged(tx, projectId, standing, what);
}

async function refuseManaged(tx: Queryable, projectId: string, which: SQL, what: string): Promise<void> {
  const [row] = await tx.execute<{ name: string }>(sql`
    select c.name from scim_member s join scim_connection c on c.project_id = ${projectId} and c.id = s.connection_id
    where s.project_id = ${projectId} and ${which} limit 1`);
  if (!row) return;
  throw refuse('directory', `${what} is managed by the directory ${row.name}: change it there, or disconnect it first`);
}
