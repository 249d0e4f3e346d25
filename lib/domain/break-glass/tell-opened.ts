import { env } from '#lib/base/env.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { BreakGlassRow } from '#lib/infra/db/schema/access/break-glass.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import type { Actor } from '../access/context.ts';
import { findAdministrators } from '../accounts/find-administrators.ts';
import { findUser } from '../accounts/find-user.ts';
import { toName } from '../people/tell-endings.ts';

type Opened = { project: Project; self: Actor; row: BreakGlassRow; mailsAll: boolean };

/** The member themselves, so that nobody breaks the glass in their name unseen, and who administers the project. No reason stands in a mail: it may name a patient. */
export async function tellOpened(tx: Queryable, { project, self, row, mailsAll }: Opened): Promise<void> {
  const { projectId, membershipId } = row;
  const shared = { projectName: project.name ?? 'your project', when: clockOf(row.endsAt) };
  const user = await findUser(self.user.slice('User/'.length), projectId, tx);
  if (user?.email) {
    const params = { ...shared, url: `${env().BASE_URL}/account#emergency-access` };
    await queueMail(tx, { projectId, template: 'glass-broken', recipient: user.email, membershipId, params });
  }
  if (!mailsAll) return;
  const url = `${env().BASE_URL}/p/${projectId}/break-glass/${row.id}`;
  const params = { ...shared, who: toName(self.profileDisplay ?? null), url };
  for (const recipient of await findAdministrators(tx, projectId))
    if (recipient !== user?.email) await queueMail(tx, { projectId, template: 'glass-broken-told', recipient, params });
}

function clockOf(at: Date): string {
  return `${at.toISOString().slice(11, 16)} UTC`;
}
