import { sql } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { LoginMembership } from '#lib/protocol/answers/login.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { projectsOf } from '../directory/projects-of.ts';
import { findProven } from '../standing/load-invites.ts';

/** A membership to sign in with, and where it is. */
export type Choice = LoginMembership & { projectId: string };

type Limits = {
  projectId?: string;
  profileType?: string;
  /** Where they may be a member, when that is known. */
  projects?: string[];
};

type Found = {
  project_id: string;
  membership_id: string;
  awaits_proof: boolean;
  membership: ProjectMembership;
  project: Project;
  last_updated: string;
};

const MOST = 100;

/** The memberships that a person can sign in with: active, in an active project, at most 100, in the order they were made. */
export async function findMemberships(userId: string, limits: Limits = {}): Promise<Choice[]> {
  const found = await Promise.all((await whereOf(userId, limits)).map((id) => findIn(id, userId, limits)));
  const rows = await keepProven(userId, found.flat());
  return rows.sort(inOrder).slice(0, MOST).map(toChoice);
}

async function whereOf(userId: string, { projectId, projects }: Limits): Promise<string[]> {
  if (projectId !== undefined) return isUuid(projectId) ? [projectId] : [];
  return projects?.length ? projects : projectsOf(userId);
}

function findIn(projectId: string, userId: string, { profileType }: Limits): Promise<Found[]> {
  return db().execute<Found>(sql`
    select k.project_id, k.membership_id, k.awaits_proof, m.content as membership, p.content as project, m.last_updated
    from membership_key k
    join resource m on m.project_id = k.project_id and m.type_id = ${typeId('ProjectMembership')} and m.id = k.membership_id::text and not m.deleted
    join resource p on p.project_id = k.project_id and p.type_id = ${typeId('Project')} and p.id = k.project_id::text and not p.deleted
    where k.project_id = ${projectId} and k.user_ref = ${`User/${userId}`} and k.active and p.content->>'active' is distinct from 'false'
      ${profileType ? sql`and k.profile_ref like ${`${profileType.replace(/[^A-Za-z]/g, '')}/%`}` : sql``}`);
}

/** But for those that wait for a proof of the address which has not come. Only an account above projects is ever asked for one. */
async function keepProven(userId: string, rows: Found[]): Promise<Found[]> {
  const waiting = rows.find((row) => row.awaits_proof);
  if (!waiting) return rows;
  const proven = await findProven(db(), waiting.project_id, [userId]);
  return rows.filter((row) => !row.awaits_proof || proven.has(userId));
}

function inOrder(one: Found, other: Found): number {
  return (
    Date.parse(one.last_updated) - Date.parse(other.last_updated) || (one.membership_id < other.membership_id ? -1 : 1)
  );
}

function toChoice({ project_id: projectId, membership_id: id, membership, project }: Found): Choice {
  return {
    id,
    projectId,
    project: { reference: `Project/${projectId}`, display: project.name },
    profile: membership.profile,
    ...(membership.identifier ? { identifier: membership.identifier } : {}),
  };
}
