import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';

/** Of one person so many are looked into. */
const MOST = 1000;

/** For a statement that knows the person by `userId`: the projects where they may be a member, the first one first. */
export function projectsArray(userId: string): string {
  return `array(select p.project_id::text from user_project p where p.user_id = ${userId} order by p.since, p.project_id limit ${MOST})`;
}

const PROJECTS = `select ${projectsArray('$1::uuid')} as projects`;

/** Where somebody may be a member, or was once, the first one first. */
export async function projectsOf(userId: string, q: Queryable = db()): Promise<string[]> {
  if (!isUuid(userId)) return [];
  const [row] = await runText<{ projects: string }>(q, PROJECTS, [userId]);
  const projects = toProjects(row?.projects);
  return projects.length > 0 ? projects : lookEverywhere(q, userId);
}

/** Of whom nothing is known: a version of the program that notes nobody may serve beside this one (repair-standing.ts notes them too). */
async function lookEverywhere(q: Queryable, userId: string): Promise<string[]> {
  const rows = await runText<{ project_id: string }>(q, EVERYWHERE, [`User/${userId}`]);
  return rows.map((row) => row.project_id);
}

const EVERYWHERE = `select distinct project_id from membership_key where user_ref = $1 limit ${MOST}`;

/** The driver knows no arrays: it gives their text. */
export function toProjects(text = '{}'): string[] {
  return text.slice(1, -1).split(',').filter(Boolean);
}
