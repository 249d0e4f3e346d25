import type { Queryable } from '#lib/infra/db/client.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { type Reason, refuse } from '../access/refuse.ts';
import { membersOf } from '../directory/members-of.ts';
import { whyStays } from '../memberships/guard-admins.ts';
import { findDirectoryOfMember } from '../memberships/require-unmanaged.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

/** A membership that ends with the account. `against`: why it cannot yet. */
export type ErasurePlace = {
  projectId: string;
  projectName: string;
  membershipId: string;
  against?: { reason: Reason; text: string };
};

/** Where somebody is a member, project by project in the order of their ids. One that is being removed has nobody to keep. */
export async function findErasurePlaces(q: Queryable, userId: string): Promise<ErasurePlace[]> {
  const places: ErasurePlace[] = [];
  for (const { projectId, membershipId } of await membersOf(userId, q)) {
    const row = await findRow(projectId, 'Project', projectId, q);
    if (!row || row.deleted) continue;
    const project = toResource<Project>(row);
    const projectName = project.name ?? projectId;
    const against = await findAgainst(q, { projectId, project, membershipId, user: `User/${userId}` });
    places.push({ projectId, projectName, membershipId, ...(against && { against }) });
  }
  return places;
}

type Whose = { projectId: string; project: Project; membershipId: string; user: string };

async function findAgainst(
  q: Queryable,
  { projectId, project, membershipId, user }: Whose,
): Promise<ErasurePlace['against']> {
  const name = project.name ?? projectId;
  const reason = await whyStays(q, projectId, project, user);
  if (reason === 'owner') return { reason, text: `The project ${name} is owned by this account: hand it over first` };
  if (reason)
    return { reason, text: `This is the last administrator of the project ${name}: make somebody else one first` };
  const directory = await findDirectoryOfMember(q, projectId, membershipId);
  if (directory === undefined) return undefined;
  const text = `The directory ${directory} manages this membership of the project ${name}: it is ended there first`;
  return { reason: 'directory', text };
}

/** Throws 409 naming the first project that stands against it. */
export function requireNoneAgainst(places: readonly ErasurePlace[]): void {
  const found = places.find(({ against }) => against)?.against;
  if (found) throw refuse(found.reason, found.text);
}
