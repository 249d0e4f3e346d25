import { env } from '#lib/base/env.ts';
import { newId, newSecret } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { runText } from '#lib/infra/db/client.ts';
import type { LinkKind } from '#lib/protocol/answers/link.ts';
import type { Write } from '../access/context.ts';
import { supersedeLinks } from './supersede-links.ts';
import { tellInvite } from './tell-invite.ts';

export type LinkInput = {
  kind: LinkKind;
  userId: string;
  projectId?: string;
  membershipId?: string;
  /** Given to an administrator to pass on. */
  handedAt?: Date;
  /** Made before, with the digits that belong to it: `createMailedLink`. */
  coded?: { id: string; codeHash: string };
};

export type LinkOptions = {
  /** Those that are out go on working: nobody is told of this one, or not by whom the newest mail reached; or there are none. */
  beside?: boolean;
  /** Made at this moment, and its membership was stored as invited then. Else that is looked at before the commit (`w.stands`). */
  noted?: Date;
};
export type Link = {
  id: string;
  secret: string;
  url: string;
  expiresAt: Date;
};

const HOUR_MS = 3_600_000;
/** Contract §1.5. */
const LIFETIME_MS: Record<LinkKind, number> = {
  invite: 7 * 24 * HOUR_MS,
  reset: HOUR_MS,
  'verify-email': 7 * 24 * HOUR_MS,
  reopen: 30 * 24 * HOUR_MS,
};

export function endOfLink(kind: LinkKind, createdAt: Date): Date {
  return new Date(createdAt.getTime() + LIFETIME_MS[kind]);
}

const PAGE: Record<LinkKind, string> = {
  invite: 'setpassword',
  reset: 'setpassword',
  'verify-email': 'verifyemail',
  reopen: 'reopen',
};

const INSERT = `
  insert into one_time_link (id, kind, user_id, project_id, membership_id, secret_hash, code_hash, created_at, expires_at, handed_at)
  values ($1::uuid, $2, $3::uuid, $4::uuid, $5::uuid, $6, $7, $8::timestamptz, $9::timestamptz, $10::timestamptz)`;

/** Which of two gave way to the other is told by their times (read-link-state.ts): the clock may stand still between them, or be another server's. */
function after(now: Date, before: Date | undefined): Date {
  return before && before >= now ? new Date(before.getTime() + 1) : now;
}

/**
 * A link that is spent once, by POST. The secret stands in the fragment, which no browser sends and no server logs. Older open links
 * of the same person and kind end here.
 */
export async function createLink(w: Write, input: LinkInput, { beside, noted }: LinkOptions = {}): Promise<Link> {
  const { coded, ...fields } = input;
  const { userId, kind, projectId } = fields;
  const before = beside ? undefined : await supersedeLinks(w, { userId, projectId, kinds: [kind] });
  const now = after(noted ?? new Date(), before);
  const { id, codeHash } = coded ?? { id: newId() };
  const secret = newSecret();
  const expiresAt = endOfLink(kind, now);
  const { membershipId = null, handedAt } = fields;
  await runText(w.tx, INSERT, [
    ...[id, kind, userId, projectId ?? null, membershipId],
    ...[hashSecret(secret), codeHash ?? null],
    ...[now, expiresAt, handedAt].map((at) => at?.toISOString() ?? null),
  ]);
  if (!noted) tellInvite(w, fields);
  return { id, secret, url: `${env().BASE_URL}/${PAGE[kind]}/${id}#${secret}`, expiresAt };
}
