import { type SQL, sql } from 'drizzle-orm';
import type { StoredInviteStatus } from '#lib/protocol/requests/invite-statuses.ts';

/** What tells of a membership how its invitation stands: the newest link and mail, and whether the person can enter by it. */
export type InviteFacts = {
  active: boolean;
  /** They have a password, and have proven the address where that was asked (membership_key.awaits_proof); or they have come in otherwise. */
  canEnter: boolean;
  link: { used: boolean; revoked: boolean; over: boolean; handed: boolean } | undefined;
  /** `lost`: it failed, or came back. */
  mail: { lost: boolean } | undefined;
};

/**
 * The one definition. Who has a password has accepted, whichever link it came by; a membership that was stopped before that is an
 * invitation taken back.
 */
export function toInviteStatus({ active, canEnter, link, mail }: InviteFacts): StoredInviteStatus {
  if (!link && !mail) return 'none';
  if (!active && !link?.used && (link?.revoked || !canEnter)) return 'revoked';
  if (link?.used || canEnter) return 'accepted';
  if (!link || link.over) return 'expired';
  return !link.handed && mail?.lost ? 'failed' : 'pending';
}

/** Of a row `k` of membership_key, as it is at this moment: time passes without anybody writing it down. */
export const STATUS_NOW: SQL = sql.raw(`case when k.invite_ends <= now() then 'expired' else k.invite_status end`);
