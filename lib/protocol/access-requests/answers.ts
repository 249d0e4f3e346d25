import type { AccessParameter } from '../fhir/types.ts';
import type { REQUEST_STATES } from './requests.ts';

export type RequestState = (typeof REQUEST_STATES)[number];

/**
 * GET /auth/me/access-requests: one’s own. Times are instants. `until`: when what was granted ends. By which policy it was is not told. `lapsed`: nobody
 * decided in thirty days, or the member left.
 */
export type OwnAccessRequest = {
  id: string;
  resourceType: string;
  interaction: string;
  decision: string | null;
  reason: string;
  state: RequestState;
  createdAt: string;
  closedAt: string | null;
  answer: string | null;
  until: string | null;
};

/** The newest first. */
export type OwnAccessRequestPage = { rows: OwnAccessRequest[]; next: string | null };

type Party = { reference: string; display: string | null };

/**
 * GET /admin/projects/{id}/access-requests/{requestId}. `own`: the caller’s, about which somebody else decides. `isMember`: who asked is an active
 * member still. `policy`, `parameter`: what was granted.
 */
export type AccessRequest = OwnAccessRequest & {
  membership: string;
  member: Party;
  isMember: boolean;
  own: boolean;
  decidedBy: Party | null;
  policy: Party | null;
  parameter: AccessParameter[];
};

/** GET …/access-requests, the newest first. */
export type AccessRequestPage = { rows: AccessRequest[]; next: string | null };
