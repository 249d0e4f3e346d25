import { newId } from '#lib/base/ids.ts';
import { seal } from '../crypto/seal.ts';
import type { Queryable } from '../db/client.ts';
import { mail } from '../db/schema/operations.ts';
import { queueJob } from '../jobs/queue-job.ts';
import { SEALED } from './sealed.ts';
import type { TemplateName } from './templates.ts';

export type MailInput = {
  projectId: string;
  template: TemplateName;
  recipient: string;
  membershipId?: string;
  /** What the template says. Holds one-time links, so it is sealed, and dropped once the mail is out, or is given up. */
  params: Record<string, string>;
};

/** A list of invitations takes an hour to leave; nobody waits for a password behind it. */
const BY_THE_THOUSAND: readonly TemplateName[] = ['invite', 'added'];

/** Mail is a row and a job in the caller's transaction: it leaves after the commit, or not at all. Returns the mail's id. */
export async function queueMail(tx: Queryable, input: MailInput): Promise<string> {
  const { projectId, template, recipient, membershipId, params } = input;
  const id = newId();
  await tx.insert(mail).values({
    projectId,
    id,
    template,
    recipient,
    membershipId,
    paramsSealed: seal(SEALED.mail.purpose, JSON.stringify(params)),
  });
  await queueJob(tx, 'mail', { projectId, mailId: id }, BY_THE_THOUSAND.includes(template) ? 0 : 1);
  return id;
}
