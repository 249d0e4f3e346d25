import { env } from '#lib/base/env.ts';
import { newId, newSecret } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import type { ChangeDetail, ChangeRow } from '#lib/infra/db/schema/account-change.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import { maskAddress } from '#lib/protocol/account-changes/mask-address.ts';
import type { Write } from '../access/context.ts';
import type { FoundUser } from '../accounts/find-user.ts';
import { endWaiting, insertChange } from './change-rows.ts';

/** After it was due nobody waits for longer to hear that the new address is right. */
const CONFIRM_MS = 7 * 86_400_000;

export type RequestedChange = {
  user: Pick<FoundUser, 'id' | 'scope' | 'email'>;
  kind: ChangeRow['kind'];
  detail: ChangeDetail;
  waitMs: number;
  /** As whom. */
  askedBy: string;
  /** Where an administrator asks. */
  of?: { projectId: string; projectName: string; membershipId?: string };
  /** The new address has to be confirmed. */
  confirmed?: boolean;
};

/**
 * A change of what somebody signs in with, or its end for good, is noted, to be done when its time has come. The address that they have is told at once, with a link that stops
 * it. Gives the link that confirms the new address, where that is asked for. Throws 409 while another of the kind waits.
 */
export async function requestChange(w: Write, given: RequestedChange): Promise<{ row: ChangeRow; confirmUrl: string }> {
  const { user, kind, detail, of } = given;
  const [id, stop, confirm] = [newId(), newSecret(), newSecret()];
  const dueAt = new Date(Date.now() + given.waitMs);
  await endWaiting(w, { userId: user.id, kind, lapsed: true });
  const row = await insertChange(w, {
    ...{ id, kind, userId: user.id, scope: user.scope, detail, dueAt, askedBy: given.askedBy },
    ...{ projectId: of?.projectId ?? null, membershipId: of?.membershipId ?? null },
    stopHash: hashSecret(stop),
    confirmHash: given.confirmed ? hashSecret(confirm) : null,
    expiresAt: new Date(dueAt.getTime() + CONFIRM_MS),
  });
  if (user.email) await tellOld(w, user.email, given, { dueAt, url: toUrl(id, stop) });
  const after = { kind, dueAt: dueAt.toISOString(), ...(detail.method && { method: detail.method }) };
  for (const projectId of new Set([user.scope, of?.projectId ?? user.scope]))
    w.audit({ projectId, action: 'user.change.request', target: `User/${user.id}`, after });
  return { row, confirmUrl: toUrl(id, confirm) };
}

async function tellOld(
  w: Write,
  recipient: string,
  { user, kind, detail, of }: RequestedChange,
  { dueAt, url }: { dueAt: Date; url: string },
): Promise<void> {
  const when = toWhen(dueAt);
  const shared = { projectId: user.scope, recipient };
  if (kind === 'address') {
    const params = { url, when, email: maskAddress(detail.email ?? ''), projectName: of?.projectName ?? '' };
    const template = of ? 'address-waits' : 'own-address-waits';
    await queueMail(w.tx, { ...shared, template, params });
    return;
  }
  if (kind === 'erase') {
    const params = { url, when, projectName: of?.projectName ?? '' };
    await queueMail(w.tx, { ...shared, template: of ? 'erasure-waits' : 'own-erasure-waits', params });
    return;
  }
  await queueMail(w.tx, {
    ...shared,
    template: 'factors-wait',
    params: { url, when, projectName: of?.projectName ?? '' },
  });
}

/** As the mails say it. */
export function toWhen(at: Date): string {
  return `${WHEN.format(at)} UTC`;
}

const WHEN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** The secret stands in the fragment, which no browser sends and no server logs. */
function toUrl(id: string, secret: string): string {
  return `${env().BASE_URL}/accountchange/${id}#${secret}`;
}
