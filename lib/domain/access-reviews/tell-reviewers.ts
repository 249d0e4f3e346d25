import { and, eq } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { TemplateName } from '#lib/infra/mail/templates.ts';
import { findUser } from '../accounts/find-user.ts';
import { IN_TIME } from '../standing/in-time.ts';

/** By mail, in this transaction: those who administer the project still, and have an address. */
export async function tellReviewers(
  tx: Queryable,
  { projectId, reviewers }: { projectId: string; reviewers: readonly string[] },
  template: TemplateName,
  params: Record<string, string>,
): Promise<void> {
  const found = await tx
    .select({ user: membershipKey.userRef })
    .from(membershipKey)
    .where(
      and(
        eq(membershipKey.projectId, projectId),
        isAnyUuidOf(membershipKey.membershipId, reviewers),
        ...[eq(membershipKey.admin, true), eq(membershipKey.active, true), IN_TIME],
      ),
    );
  for (const { user } of found) {
    const person = await findUser(user.slice('User/'.length), projectId, tx);
    if (person?.email) await queueMail(tx, { projectId, template, recipient: person.email, params });
  }
}

/** As their mails have it. */
export function dayOf(at: Date): string {
  return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}
