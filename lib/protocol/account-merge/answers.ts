import type { FactorMethod } from '../factors/answers.ts';
import type { Reference } from '../fhir/types.ts';

/** How long a handle is good for. */
export const MERGE_MINUTES = 10;

/** POST /auth/merge. `handle`: for this session alone, once. By `mfaMethods` the second step of that account is shown next. */
export type MergeBegun = { handle: string; expiresAt: string; mfaMethods: FactorMethod[] };

/** A membership that comes over. */
export type MergedMembership = {
  id: string;
  project: Reference;
  profile: Reference;
  admin: boolean;
  /** The account owns the project. */
  owner: boolean;
  /** The person is a member of the project already: they have both from then on. */
  beside: boolean;
};

/** POST /auth/merge/preview: what confirming does, and POST /auth/merge/confirm: what it did. `ends`: of the account that goes. */
export type Merge = {
  from: string;
  into: string;
  memberships: MergedMembership[];
  ends: { sessions: number; passkeys: number; factors: number; keys: number; consents: number };
};
