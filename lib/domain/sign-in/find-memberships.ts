import { sql } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import type { LoginMembership } from '#lib/protocol/answers/login.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { WAYS, type Way, waysOf } from '#lib/protocol/sign-in/ways.ts';
import { findAddress } from '../accounts/find-address.ts';
import { projectsOf } from '../directory/projects-of.ts';
import { IN_TIME } from '../standing/in-time.ts';
import { findProven } from '../standing/load-invites.ts';
import { enforcedDomains } from '../ways/enforced-domains.ts';
import { isWay, wayRefused } from '../ways/way-of.ts';

/** A membership to sign in with, where it is, whether it administers that, and by which ways it may be entered. */
export type Choice = LoginMembership & { projectId: string; admin: boolean; ways: Way[] };

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
  enforced: string[] | null;
  last_updated: string;
};

const MOST = 100;

/** The memberships that a person can sign in with: active and in their time, in an active project, at most 100, in the order they were made. */
export async function findMemberships(userId: string, limits: Limits = {}): Promise<Choice[]> {
  const found = await Promise.all((await whereOf(userId, limits)).map((id) => findIn(id, userId, limits)));
  const rows = await keepProven(userId, found.flat());
  const isEnforced = rows.some(({ enforced }) => enforced !== null);
  const email = isEnforced ? await findAddress(userId) : undefined;
  return rows
    .sort(inOrder)
    .slice(0, MOST)
    .map((row) => toChoice(row, email));
}

/** Those of them that are entered by this way. Throws 400 when there are some, and none is: it says by which ways they are. */
export function keepOpen(choices: Choice[], authMethod: LoginRow['authMethod']): Choice[] {
  const open = choices.filter(({ ways }) => isWay(authMethod, ways));
  if (open.length === 0 && choices.length > 0)
    throw wayRefused(WAYS.filter((way) => choices.some(({ ways }) => ways.includes(way))));
  return open;
}

/** Those of them that a sign-in speaks for: one that a project's own provider began, for those of that project. */
export function keepWithin(choices: Choice[], login: Pick<LoginRow, 'withinProject' | 'projectId'>): Choice[] {
  return login.withinProject ? choices.filter(({ projectId }) => projectId === login.projectId) : choices;
}

/** As the person is shown them. */
export function toMemberships(choices: Choice[]): LoginMembership[] {
  return choices.map(({ projectId: _, ways: __, admin: ___, ...membership }) => membership);
}

async function whereOf(userId: string, { projectId, projects }: Limits): Promise<string[]> {
  if (projectId !== undefined) return isUuid(projectId) ? [projectId] : [];
  return projects?.length ? projects : projectsOf(userId);
}

function findIn(projectId: string, userId: string, { profileType }: Limits): Promise<Found[]> {
  return db().execute<Found>(sql`
    select k.project_id, k.membership_id, k.awaits_proof, m.content as membership, p.content as project, m.last_updated,
      ${enforcedDomains(projectId)} as enforced
    from membership_key k
    join resource m on m.project_id = k.project_id and m.type_id = ${typeId('ProjectMembership')} and m.id = k.membership_id::text and not m.deleted
    join resource p on p.project_id = k.project_id and p.type_id = ${typeId('Project')} and p.id = k.project_id::text and not p.deleted
    where k.project_id = ${projectId} and k.user_ref = ${`User/${userId}`} and k.active and ${IN_TIME} and p.content->>'active' is distinct from 'false'
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

function toChoice(found: Found, email: string | undefined): Choice {
  const { project_id: projectId, membership_id: id, membership, project, enforced } = found;
  return {
    id,
    projectId,
    project: { reference: `Project/${projectId}`, display: project.name },
    profile: membership.profile,
    admin: membership.admin === true,
    ways: waysOf(project.setting ?? [], membership, { domains: enforced ?? [], email }),
    ...(membership.identifier ? { identifier: membership.identifier } : {}),
  };
}
