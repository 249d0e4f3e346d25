import type { Reference } from '../fhir/types.ts';
import type { InviteStatusName } from '../requests/invite-statuses.ts';

export type DeliveryState = 'queued' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'failed';

/** One invited membership. Times are instants. `channel`: how the newest link went out; `none` when nobody was told yet. */
export type InviteRow = {
  membershipId: string;
  /** Null for somebody who needed none: a member of another project. */
  linkId: string | null;
  status: InviteStatusName;
  name: string;
  email: string | null;
  profileType: string;
  admin: boolean;
  active: boolean;
  policies: { reference: string; display: string }[];
  invitedBy: Reference | null;
  channel: 'mail' | 'link' | 'none';
  invitedAt: string;
  sentAt: string | null;
  expiresAt: string | null;
  openedAt: string | null;
  acceptedAt: string | null;
  delivery: { state: DeliveryState; error: string | null; attempts: number; at: string } | null;
};

/** GET /admin/projects/{id}/invites. `counts` are of the search, whatever the status. */
export type InviteList = { total: number; counts: Record<InviteStatusName, number>; rows: InviteRow[] };

/** POST /admin/projects/{id}/invites/{id}/link: a link to pass on by hand, told this once. */
export type HandedOver = { url: string; expiresAt: string; invite: InviteRow };

/** X-Invite-Status: how an invited membership came about. A new person, one with a login already, or a membership that was there. */
export type InviteStatus = 'created' | 'existing-user' | 'upserted' | 'reactivated';

/** Where the answer to an invite with `returnLink` holds the link. */
export const INVITE_LINK_EXTENSION = 'urn:gatehouse:invite-link';
