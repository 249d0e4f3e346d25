import { type SQL, sql } from 'drizzle-orm';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { Actor } from '../access/context.ts';
import { entryName, floorOf } from '../access/entry-name.ts';
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
  refuseManaged(await findDirectoryOfMember(tx, projectId, membershipId), what);
}

/** As `requireUnmanaged`, of the record that a member stands on: "Practitioner/id". */
export async function requireUnmanagedRecord(
  tx: Queryable,
  actor: Actor | undefined,
  { projectId, profile }: { projectId: string; profile: string },
  what: string,
): Promise<void> {
  if (actor?.scim) return;
  refuseManaged(await findDirectoryOf(tx, projectId, profile), what);
}

/** What the directory is called that manages a member; undefined when none does. */
export async function findDirectoryOfMember(
  tx: Queryable,
  projectId: string,
  membershipId: string,
): Promise<string | undefined> {
  return findDirectory(tx, projectId, sql`s.membership_id = ${membershipId}`);
}

/** What the directory is called that keeps a record of a member ("Practitioner/id"); undefined when none does. */
export async function findDirectoryOf(tx: Queryable, projectId: string, profile: string): Promise<string | undefined> {
  const standing = sql`s.membership_id = any(array(
    select k.membership_id from membership_key k where k.project_id = ${projectId} and k.profile_ref = ${profile}))`;
  return findDirectory(tx, projectId, standing);
}

async function findDirectory(tx: Queryable, projectId: string, which: SQL): Promise<string | undefined> {
  const [row] = await tx.execute<{ name: string }>(sql`
    select c.name from scim_member s join scim_connection c on c.project_id = ${projectId} and c.id = s.connection_id
    where s.project_id = ${projectId} and ${which} limit 1`);
  return row?.name;
}

function refuseManaged(directory: string | undefined, what: string): void {
  if (directory === undefined) return;
  throw refuse(
    'directory',
    `${what} is managed by the directory ${directory}: change it there, or disconnect it first`,
  );
}

/**
 * What a group of a directory gives is taken away there: by hand it would come back with the next change of the group. Throws 409 saying
 * which directory, while it is connected. What gives nothing may go.
 */
export async function requireUngiven(
  tx: Queryable,
  actor: Actor,
  { projectId, membershipId }: { projectId: string; membershipId: string },
  { admin, access = [] }: Pick<ProjectMembership, 'admin' | 'access'>,
): Promise<void> {
  if (actor.scim) return;
  const given = await runText<{ id: string; name: string; access: string[]; admin: boolean }>(tx, GIVEN, [
    projectId,
    membershipId,
  ]);
  const kept = new Set(access.map(entryName));
  const missed = given.find(({ id, access: names, admin: isGiven }) => {
    return (isGiven && admin !== true) || names.some((name) => name !== entryName(floorOf(id)) && !kept.has(name));
  });
  if (!missed) return;
  throw refuse(
    'directory',
    `A group of the directory ${missed.name} gives this: take the member out of it there, or change what it gives`,
  );
}

const GIVEN = `select c.id::text as id, c.name, v.access, v.admin
  from scim_given v join scim_connection c on c.project_id = $1 and c.id = v.connection_id
  where v.project_id = $1 and v.membership_id = $2::uuid`;
