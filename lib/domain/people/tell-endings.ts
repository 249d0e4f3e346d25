import { sql } from 'drizzle-orm';
import { eachAlone } from '#lib/base/each-alone.ts';
import { env } from '#lib/base/env.ts';
import { db } from '#lib/infra/db/client.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import type { Ctx, Write } from '../access/context.ts';
import { findAdministrators } from '../accounts/find-administrators.ts';
import { findUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { type Ending, hasEnds, takeEnds } from '../standing/take-ends.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

const DAY_MS = 86_400_000;
/** Named to administrators; of more, how many. */
const MOST_NAMED = 10;
const MOST_OF_A_NAME = 60;

/**
 * Mails whose membership ends within a week, and who administers the project, once. Of several processes at once one tells, and one that was
 * killed leaves it to the next round.
 */
export async function tellEndings(ctx: Ctx, stopped?: AbortSignal): Promise<void> {
  const projects = await db().execute<{ id: string }>(sql`select distinct project_id as id from membership_key`);
  await eachAlone(projects, stopped, 'nobody was told of the end of memberships', async ({ id }) => {
    for (let told = 1; told > 0 && !stopped?.aborted && (await hasEnds(db(), id)); ) told = await tellIn(ctx, id);
  });
}

/** How many: none while another process has them. */
async function tellIn(ctx: Ctx, projectId: string): Promise<number> {
  return write(ctx, async (w) => {
    const ends = await takeEnds(w.tx, projectId);
    if (ends.length === 0) {
      w.unchanged();
      return 0;
    }
    const row = await findRow(projectId, 'Project', projectId, w.tx);
    const isOpen = row !== undefined && !row.deleted && toResource<Project>(row).active !== false;
    const projectName = (row && toResource<Project>(row).name) ?? 'your project';
    for (const ending of isOpen ? ends : []) await tellMember(w, projectId, projectName, ending);
    if (isOpen) await tellAdministrators(w, projectId, projectName, ends);
    for (const { membership_id: id, ends: at } of ends) {
      const after = { ends: new Date(at).toISOString() };
      w.audit({ projectId, action: 'membership.warn', target: `ProjectMembership/${id}`, after });
    }
    return ends.length;
  });
}

/** Nobody who has not come yet: their invitation says what there is to do. */
async function tellMember(w: Write, projectId: string, projectName: string, ending: Ending): Promise<void> {
  const user = await findUser(ending.user_ref.slice('User/'.length), projectId, w.tx);
  if (!user?.email || !ending.comes) return;
  const params = { projectName, when: toDay(ending.ends), url: `${env().BASE_URL}/p/${projectId}` };
  await queueMail(w.tx, { projectId, template: 'membership-ends', recipient: user.email, params });
}

async function tellAdministrators(w: Write, projectId: string, projectName: string, ends: Ending[]): Promise<void> {
  const names = ends.slice(0, MOST_NAMED).map(({ name, ends: at }) => `${toName(name)} (${toDay(at)})`);
  const rest = ends.length - names.length;
  const params = {
    projectName,
    count: ends.length === 1 ? 'A membership ends' : `${ends.length} memberships end`,
    names: `${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
    url: `${env().BASE_URL}/p/${projectId}/members`,
  };
  for (const recipient of await findAdministrators(w.tx, projectId)) {
    await queueMail(w.tx, { projectId, template: 'memberships-end', recipient, params });
  }
}

/** What people have called themselves is shown as a name and as nothing else: no sentence, and nothing that becomes a link. */
export function toName(name: string | null): string {
  const letters = (name ?? '').replace(/[^\p{L}\p{M}\p{N}'’-]+/gu, ' ').trim();
  return letters.slice(0, MOST_OF_A_NAME) || 'Somebody';
}

/** The last day on which they come in: an end at midnight is that of the day before (UTC, as FHIR has days). */
function toDay(ends: string): string {
  const last = new Date(new Date(ends).getTime() - 1);
  const left = Math.ceil((last.getTime() - Date.now()) / DAY_MS);
  const day = last.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return left <= 1 ? `within a day, on ${day}` : `on ${day}`;
}
