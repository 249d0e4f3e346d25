import type { AccessEntry, Reference } from '../fhir/types.ts';
import type { REVIEW_DECISIONS, REVIEW_PROFILES, REVIEW_STATES } from './requests.ts';

/** What a member may do, as their membership says it. */
export type Held = { admin?: boolean; accessPolicy?: Reference; access?: AccessEntry[] };

/** Of whom; neither: of all who are active. */
export type ReviewScope = { policy?: string; profileType?: (typeof REVIEW_PROFILES)[number] };

type Person = { reference: string; display: string | null };

/**
 * GET /admin/projects/{id}/access-reviews/{reviewId}. Times are instants. `applied`, `failed`: of those that were decided, since it is
 * closed. `mine`: the caller is one of its reviewers.
 */
export type AccessReview = {
  id: string;
  name: string;
  state: (typeof REVIEW_STATES)[number];
  scope: ReviewScope;
  reviewers: { membership: string; display: string | null }[];
  dueAt: string;
  total: number;
  decided: number;
  applied: number;
  failed: number;
  mine: boolean;
  createdAt: string;
  createdBy: Person;
  closedAt: string | null;
  closedBy: Person | null;
};

/** GET …/access-reviews, the newest first. */
export type AccessReviewPage = { rows: AccessReview[]; next: string | null };

export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

/**
 * A member in it. `now`: what they have at this moment, with the version of the membership; null when that is gone. `wanted`: of a reduction,
 * what is to be left. `own`: one's own membership, about which somebody else decides. `outcome`: since it is closed.
 */
export type ReviewRow = {
  membership: string;
  who: string;
  profile: string;
  own: boolean;
  now: (Held & { version: number }) | null;
  decision: ReviewDecision | null;
  wanted: Held | null;
  note: string | null;
  decidedBy: string | null;
  decidedAt: string | null;
  outcome: ReviewOutcome | null;
  message: string | null;
};

export type ReviewOutcome = 'kept' | 'reduced' | 'removed' | 'gone' | 'undecided' | 'failed';

/** GET …/rows, by name. */
export type ReviewRowPage = { rows: ReviewRow[]; next: string | null };

/** POST …/decisions. */
export type Decided = { decided: number };
