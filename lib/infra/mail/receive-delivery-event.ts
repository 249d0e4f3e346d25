import { and, eq, inArray } from 'drizzle-orm';
import { Resend } from 'resend';
import { env } from '#lib/base/env.ts';
import { AppError, notFound } from '#lib/base/errors.ts';
import { db, type Queryable, transaction } from '../db/client.ts';
import { mail } from '../db/schema/operations.ts';
import type { ChangedMail } from './changed-mail.ts';

/** The headers `svix-id`, `svix-timestamp` and `svix-signature`. */
export type Signature = { id: string; timestamp: string; signature: string };

/** What has become of a mail. `error`: why, in the words of who was to take it. */
export type SettledMail = ChangedMail &
  Pick<typeof mail.$inferSelect, 'id' | 'template' | 'recipient' | 'state' | 'error'>;
type FollowSettled = (tx: Queryable, mail: SettledMail) => Promise<void>;

type MailState = (typeof mail.$inferSelect)['state'];
type Settled = { state: MailState; from: MailState[] };

/** Events come in any order, and again: a mail only moves on. What its bot could not be told yet comes again, too. */
const SETTLED: Record<string, Settled> = {
  'email.delivered': { state: 'delivered', from: ['sent'] },
  'email.bounced': { state: 'bounced', from: ['sent', 'delivered', 'bounced'] },
  'email.complained': { state: 'complained', from: ['sent', 'delivered', 'bounced', 'complained'] },
  'email.failed': { state: 'failed', from: ['sent'] },
  'email.suppressed': { state: 'failed', from: ['sent'] },
};

/**
 * What Resend says became of a mail. The signature is checked by its SDK (Svix scheme: HMAC-SHA-256, constant time, not older than five
 * minutes). Throws 404 when no secret is set, 400 for a signature that does not fit, 429 where `follow` does: the mail says it then all the same. Mails that we do not
 * know are none of our business.
 */
export async function receiveDeliveryEvent(
  payload: string,
  signature: Signature,
  follow: FollowSettled,
): Promise<void> {
  const secret = env().RESEND_WEBHOOK_SECRET;
  if (!secret) throw notFound();
  const { type, id, reason } = verify(payload, signature, secret);
  if (!id) return;
  const settled = Object.hasOwn(SETTLED, type) ? SETTLED[type] : undefined;
  if (settled) {
    const { state, from } = settled;
    const refused: AppError[] = [];
    await transaction(async (tx) => {
      const changed = await tx
        .update(mail)
        .set({ state, error: state === 'delivered' ? null : (reason ?? state) })
        .where(and(eq(mail.providerId, id), inArray(mail.state, from)))
        .returning(TOLD);
      for (const one of changed)
        if (state !== 'delivered') await follow(tx, one).catch((error: unknown) => refused.push(requireBusy(error)));
    });
    if (refused[0]) throw refused[0];
  } else if (type === 'email.delivery_delayed') {
    await db()
      .update(mail)
      .set({ error: 'Delivery is delayed; it is being tried again' })
      .where(and(eq(mail.providerId, id), eq(mail.state, 'sent')));
  }
}

/** Throws what is anything else. */
function requireBusy(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'too-many-requests') return error;
  throw error;
}

const { id: mailId, projectId, membershipId, template, recipient, state, error } = mail;
const TOLD = { id: mailId, projectId, membershipId, template, recipient, state, error };

const MOST_REASON = 500;

function verify(payload: string, headers: Signature, secret: string): { type: string; id?: string; reason?: string } {
  let event: unknown;
  try {
    // The key is not used here, but the SDK wants one.
    const { webhooks } = new Resend(env().RESEND_API_KEY ?? 'unused');
    event = webhooks.verify({ payload, headers, webhookSecret: secret });
  } catch (cause) {
    throw new AppError('invalid', 'The signature does not fit', { expression: 'svix-signature', cause });
  }
  return toFacts(event);
}

type Loose = { message?: unknown; reason?: unknown } | undefined;

/** Signed is not checked: whatever is missing is left out. */
function toFacts(event: unknown): { type: string; id?: string; reason?: string } {
  const { type, data } = (event ?? {}) as {
    type?: unknown;
    data?: { email_id?: unknown; bounce?: Loose; failed?: Loose; suppressed?: Loose };
  };
  const why = data?.bounce?.message ?? data?.failed?.reason ?? data?.suppressed?.message;
  return {
    type: String(type),
    ...(typeof data?.email_id === 'string' && { id: data.email_id }),
    ...(typeof why === 'string' &&
      why && { reason: why.replaceAll('\u0000', '').toWellFormed().slice(0, MOST_REASON) }),
  };
}
