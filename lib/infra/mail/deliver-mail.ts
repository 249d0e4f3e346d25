import { and, eq } from 'drizzle-orm';
import { Resend } from 'resend';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { unseal } from '../crypto/seal.ts';
import { db, type Queryable, transaction } from '../db/client.ts';
import { devMail, mail } from '../db/schema/operations.ts';
import { countMail } from '../metrics/count.ts';
import type { FollowMail } from './changed-mail.ts';
import type { RenderedMail } from './layout.ts';
import { MESSAGE, type Message } from './queue-mail.ts';
import { SEALED } from './sealed.ts';
import type { TemplateName } from './templates.ts';

/**
 * Sends one queued mail and notes how it went. Throws when it could not leave, so that the job is tried again; after the last try what it
 * was filled with goes, and with it the secret of its link.
 */
export async function deliverMail(
  projectId: string,
  mailId: string,
  isLastTry: boolean,
  follow: FollowMail,
): Promise<void> {
  const here = and(eq(mail.projectId, projectId), eq(mail.id, mailId));
  const [row] = await db().select().from(mail).where(here);
  if (!row?.paramsSealed || row.state === 'sent' || row.state === 'delivered') return;
  try {
    const providerId = await send(await toSend(row, row.paramsSealed), mailId);
    const left = { state: 'sent', providerId, sentAt: new Date(), error: null, paramsSealed: null } as const;
    await note(row, left, follow);
    countMail('sent');
  } catch (error) {
    countMail(isLastTry ? 'given-up' : 'failed');
    const reason = error instanceof Error ? error.message : String(error);
    const lost = { state: 'failed', error: reason.slice(0, 500), ...(isLastTry && { paramsSealed: null }) } as const;
    await note(row, lost, follow);
    throw error;
  }
}

type MailRow = typeof mail.$inferSelect;

/** Who is told of an invitation that got lost is told of it with the note; most leave at the first try. */
async function note(row: MailRow, change: Partial<MailRow>, follow: FollowMail): Promise<void> {
  const here = and(eq(mail.projectId, row.projectId), eq(mail.id, row.id));
  const save = (q: Queryable) =>
    q
      .update(mail)
      .set({ ...change, attempts: row.attempts + 1 })
      .where(here);
  if (change.state === 'sent' && row.state === 'queued') return void (await save(db()));
  await transaction(async (tx) => {
    await save(tx);
    await follow(tx, row);
  });
}

type ToSend = RenderedMail & { to: string | string[] } & Pick<Message, 'cc' | 'bcc' | 'replyTo' | 'attachments'>;

async function toSend({ template, recipient }: MailRow, paramsSealed: string): Promise<ToSend> {
  const params = JSON.parse(unseal(SEALED.mail.purpose, paramsSealed));
  if (template === MESSAGE) return toMessage(params);
  // Where the first mail leaves, and nowhere else: what renders them takes 12 MB.
  const { renderMail } = await import('./layout.ts');
  return { to: recipient, ...(await renderMail(template as TemplateName, params)) };
}

/** Whoever reads text alone, and whoever reads HTML alone, sees something. */
function toMessage({ text, html, ...message }: Message): ToSend {
  return {
    ...message,
    text: text ?? '',
    html: html ?? `<pre style="white-space: pre-wrap">${escapeHtml(text ?? '')}</pre>`,
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
}

async function send(message: ToSend, idempotencyKey: string): Promise<string | undefined> {
  const { RESEND_API_KEY, RESEND_BASE_URL, MAIL_FROM } = env();
  if (!RESEND_API_KEY) {
    const { to, subject, html, text } = message;
    await db()
      .insert(devMail)
      .values({ id: newId(), recipient: [to].flat().join(', '), subject, html, text });
    return undefined;
  }
  const resend = new Resend(RESEND_API_KEY, RESEND_BASE_URL ? { baseUrl: RESEND_BASE_URL } : undefined);
  const { data, error } = await resend.emails.send({ ...message, from: MAIL_FROM }, { idempotencyKey });
  if (error) throw new Error(`${error.name}: ${error.message}`);
  return data?.id;
}
