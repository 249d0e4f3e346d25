import { and, eq } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { AccessRequestRow } from '#lib/infra/db/schema/access-request.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { TemplateName } from '#lib/infra/mail/templates.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import type { Actor } from '../access/context.ts';
import { findAdministrators } from '../accounts/find-administrators.ts';
import { findUser } from '../accounts/find-user.ts';
import { toName } from '../people/tell-endings.ts';
import { IN_TIME } from '../standing/in-time.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

/** Neither reasons nor answers stand in a mail: they may name patients, and are somebody’s own words. */
export async function tellAsked(tx: Queryable, { name }: Project, self: Actor, row: AccessRequestRow): Promise<void> {
  const { projectId } = row;
  const params = {
    ...whatOf(row),
    projectName: name ?? 'your project',
    who: toName(self.profileDisplay ?? null),
    url: `${env().BASE_URL}/p/${projectId}/access-requests/${row.id}`,
  };
  const all = await findAdministrators(tx, projectId);
  const own = await addressOf(tx, projectId, self.user);
  for (const recipient of all.filter((address) => address !== own))
    await queueMail(tx, { projectId, template: 'access-requested', recipient, params });
}

/** `until`: it was granted. */
export async function tellDecided(tx: Queryable, row: AccessRequestRow, until?: Date): Promise<void> {
  const when = until ? { when: momentOf(until) } : undefined;
  await tellAsker(tx, row, until ? 'access-granted' : 'access-refused', when);
}

/** Nobody decided in time. */
export async function tellLapsed(tx: Queryable, row: AccessRequestRow): Promise<void> {
  await tellAsker(tx, row, 'access-lapsed');
}

/** Who had it, and who gave it; where that one administers the project no more, who does. */
export async function tellEnded(tx: Queryable, row: AccessRequestRow): Promise<void> {
  const { projectId, decidedByMembership } = row;
  await tellAsker(tx, row, 'access-ended');
  const giver = decidedByMembership ? await administratorOf(tx, projectId, decidedByMembership) : undefined;
  const [member] = await memberOf(tx, projectId, row.membershipId);
  const params = {
    ...whatOf(row),
    projectName: await nameOf(tx, projectId),
    who: toName(member?.name ?? null),
    url: `${env().BASE_URL}/p/${projectId}/access-requests/${row.id}`,
  };
  for (const recipient of giver ? [giver] : await findAdministrators(tx, projectId))
    await queueMail(tx, { projectId, template: 'access-ended-told', recipient, params });
}

/** While they are an active member, and have an address. */
async function tellAsker(
  tx: Queryable,
  row: AccessRequestRow,
  template: TemplateName,
  more: Record<string, string> = {},
): Promise<void> {
  const { projectId, membershipId } = row;
  const [member] = await memberOf(tx, projectId, membershipId);
  const recipient = member?.active ? await addressOf(tx, projectId, member.userRef) : undefined;
  if (!recipient) return;
  const url = `${env().BASE_URL}/account#access-requests`;
  const params = { ...whatOf(row), ...more, projectName: await nameOf(tx, projectId), url };
  await queueMail(tx, { projectId, template, recipient, membershipId, params });
}

async function memberOf(tx: Queryable, projectId: string, membershipId: string) {
  const { name, active, userRef } = membershipKey;
  const which = and(eq(membershipKey.projectId, projectId), eq(membershipKey.membershipId, membershipId));
  return tx.select({ name, active, userRef }).from(membershipKey).where(which);
}

async function administratorOf(tx: Queryable, projectId: string, membershipId: string): Promise<string | undefined> {
  const { admin, active, userRef } = membershipKey;
  const who = and(eq(membershipKey.projectId, projectId), eq(membershipKey.membershipId, membershipId));
  const [found] = await tx
    .select({ userRef })
    .from(membershipKey)
    .where(and(who, eq(admin, true), eq(active, true), IN_TIME));
  return found && addressOf(tx, projectId, found.userRef);
}

async function addressOf(tx: Queryable, projectId: string, user: string): Promise<string | undefined> {
  const person = user.startsWith('User/') ? await findUser(user.slice('User/'.length), projectId, tx) : undefined;
  return person?.email;
}

async function nameOf(tx: Queryable, projectId: string): Promise<string> {
  const row = await findRow(projectId, 'Project', projectId, tx);
  return (row && !row.deleted && toResource<Project>(row).name) || 'your project';
}

function whatOf({ type, interaction }: AccessRequestRow): { what: string } {
  return { what: `${interaction} ${type}` };
}

/** As their mails have it. */
export function momentOf(at: Date): string {
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return `${day}, ${at.toISOString().slice(11, 16)} UTC`;
}
