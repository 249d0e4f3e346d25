import { gathering } from '#lib/base/gathering.ts';
import { newId } from '#lib/base/ids.ts';
import { seal } from '../crypto/seal.ts';
import { type Queryable, runText } from '../db/client.ts';
import type { mail } from '../db/schema/operations.ts';
import { toTextArray } from '../db/text-array.ts';
import { together } from '../db/together.ts';
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
  const paramsSealed = seal(SEALED.mail.purpose, JSON.stringify(params));
  await together(
    insertTogether(tx, { projectId, id, template, recipient, membershipId, paramsSealed }),
    queueJob(tx, 'mail', { projectId, mailId: id }, BY_THE_THOUSAND.includes(template) ? 0 : 1),
  );
  return id;
}

/** As SendEmailRequest has it, on which nothing of ours is put. */
export type Message = {
  to: string[];
  cc?: string[];
  bcc?: string[];
  replyTo?: string[];
  subject: string;
  text?: string;
  html?: string;
  attachments?: { filename: string; content: string; contentType?: string; contentId?: string }[];
};

/** A mail in somebody else's words (message.ts), by the same way. Returns its id. */
export async function queueMessage(tx: Queryable, projectId: string, message: Message): Promise<string> {
  const id = newId();
  const paramsSealed = seal(SEALED.mail.purpose, JSON.stringify(message));
  const recipient = message.to.join(', ');
  await together(
    insertTogether(tx, { projectId, id, template: MESSAGE, recipient, membershipId: null, paramsSealed }),
    queueJob(tx, 'mail', { projectId, mailId: id }, 0),
  );
  return id;
}

/** Where other mails have the name of their template. */
export const MESSAGE = 'message';

type NewMail = typeof mail.$inferInsert;

const INSERT = `insert into mail (project_id, id, template, recipient, membership_id, params_sealed)
  select $1::uuid, n.* from unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[]) as n`;

/** Of one transaction and project. */
const insertTogether = gathering(async (tx: Queryable, all: NewMail[]) => {
  for (const [projectId, mails] of Map.groupBy(all, (one) => one.projectId)) {
    const column = (of: (one: NewMail) => string | null | undefined) =>
      toTextArray(mails.map((one) => of(one) ?? null));
    await runText(tx, INSERT, [
      projectId,
      column(({ id }) => id),
      column(({ template }) => template),
      column(({ recipient }) => recipient),
      column(({ membershipId }) => membershipId),
      column(({ paramsSealed }) => paramsSealed),
    ]);
  }
});
