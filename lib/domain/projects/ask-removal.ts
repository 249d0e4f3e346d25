import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { dropProgress, keepProgress } from '#lib/infra/db/upkeep.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { findUserAnywhere } from '../accounts/find-user.ts';
import { createLink, endOfLink } from '../links/create-link.ts';

/** A project that waits to be removed. `began`: what is left of it is being dropped. */
export type Removal = { due: string; noticed: boolean; began: boolean };
/** The owner's link, and where it is mailed to. */
export type WayBack = { url: string; email: string; expiresAt: Date };

export const REMOVALS = 'remove ';
/** Of its administrators, who are told. */
const MOST_TOLD = 50;

/** When the owner's way back ends, all of the closed project is removed; its owner and its administrators hear of it now, and the owner a week before. */
export async function askRemoval(
  w: Write,
  projectId: string,
  project: Project,
  wayBack: WayBack | undefined,
): Promise<Date> {
  const due = wayBack?.expiresAt ?? endOfLink('reopen', new Date());
  const removal: Removal = { due: due.toISOString(), noticed: false, began: false };
  await keepProgress(`${REMOVALS}${projectId}`, removal, w.tx);
  const target = `Project/${projectId}`;
  w.audit({ projectId, action: 'project.removal', target, after: { due: removal.due } });
  if (wayBack) await mailRemoval(w, projectId, project, wayBack, removal.due);
  await tellAdministrators(w, projectId, project, removal.due);
  return due;
}

/** Whoever opens it again wants it. */
export async function cancelRemoval(w: Write, projectId: string): Promise<void> {
  await dropProgress(`${REMOVALS}${projectId}`, w.tx);
}

/** A link for the owner, which ends older ones; undefined where nobody can be mailed. */
export async function makeWayBack(w: Write, projectId: string, project: Project): Promise<WayBack | undefined> {
  const userId = ownerOf(project);
  const user = userId === undefined ? undefined : await findUserAnywhere(userId, projectId);
  if (!userId || !user?.email) return undefined;
  const { url, expiresAt } = await createLink(w, { kind: 'reopen', userId, projectId });
  return { url, expiresAt, email: user.email };
}

export async function mailRemoval(
  w: Write,
  projectId: string,
  { name = '' }: Project,
  { url, email }: WayBack,
  due: string,
): Promise<void> {
  const params = { url, projectName: name, date: dayOf(due) };
  await queueMail(w.tx, { projectId, template: 'project-removal', recipient: email, params });
}

async function tellAdministrators(w: Write, projectId: string, project: Project, due: string): Promise<void> {
  const owner = ownerOf(project);
  const members = await w.tx.execute<{ user: string }>(sql`
    select substr(k.user_ref, 6) as user from membership_key k
    where k.project_id = ${projectId} and k.admin and k.active and k.user_ref like 'User/%' order by k.membership_id limit ${MOST_TOLD}`);
  for (const { user: id } of members) {
    const user = id === owner ? undefined : await findUserAnywhere(id, projectId);
    if (!user?.email) continue;
    const params = { projectName: project.name ?? '', date: dayOf(due), url: `${env().BASE_URL}/signin` };
    await queueMail(w.tx, { projectId, template: 'project-removal-told', recipient: user.email, params });
  }
}

function dayOf(instant: string): string {
  const day = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(instant).toLocaleDateString('en-GB', day);
}

/** The id of the User who owns the project. */
export function ownerOf({ owner }: Project): string | undefined {
  return owner?.reference?.startsWith('User/') ? owner.reference.slice('User/'.length) : undefined;
}
