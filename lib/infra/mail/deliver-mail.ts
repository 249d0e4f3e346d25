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
    // Where the first mail leaves, and nowhere else: what renders them takes 12 MB.
    const { renderMail } = await import('./layout.ts');
    const rendered = await renderMail(
      row.template as TemplateName,
      JSON.parse(unseal(SEALED.mail.purpose, row.paramsSealed)),
    );
    const providerId = await send(row.recipient, rendered, mailId);
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

async function send(recipient: string, rendered: RenderedMail, idempotencyKey: string): Promise<string | undefined> {
  const { RESEND_API_KEY, RESEND_BASE_URL, MAIL_FROM } = env();
  if (!RESEND_API_KEY) {
    await db()
      .insert(devMail)
      .values({ id: newId(), recipient, ...rendered });
    return undefined;
  }
  const resend = new Resend(RESEND_API_KEY, RESEND_BASE_URL ? { baseUrl: RESEND_BASE_URL } : undefined);
  const { data, error } = await resend.emails.send({ from: MAIL_FROM, to: recipient, ...rendered }, { idempotencyKey });
  if (error) throw new Error(`${error.name}: ${error.message}`);
  return data?.id;
}
