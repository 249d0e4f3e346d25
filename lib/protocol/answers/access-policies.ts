import type { Party } from './audit.ts';

/** An access policy in the list. `lastUpdated` is an instant. */
export type AccessPolicyRow = {
  id: string;
  name: string | null;
  /** What it gives, in short words. */
  gives: string;
  rules: number;
  /** How many memberships name it; `MOST_COUNTED` + 1 says "more than that". */
  members: number;
  /** As many name a policy that is based on it, and not itself. */
  through: number;
  /** What it is based on, by name. */
  basedOn: Party[];
  /** How many policies are based on it, also by way of others. */
  policies: number;
  /** New members get it, or patients who register. */
  isDefault: boolean;
  lastUpdated: string;
};

/** As far as memberships of one policy are counted for the list. */
export const MOST_COUNTED = 1000;

/** A reference of so many memberships, or of what their policies are based on, to a policy that is not there. */
export type GonePolicy = { reference: string; members: number };

/** GET /admin/projects/{id}/access-policies, by name: a page of `total`. `gone`: the first of what is named and not there. */
export type AccessPolicyList = { total: number; rows: AccessPolicyRow[]; gone: GonePolicy[] };

/** GET …/access-policies/vocabulary: what a rule of a type can name. Of `*`, or without a type, types alone. */
export type PolicyVocabulary = {
  types: string[];
  /** Search parameters that criteria can ask by, the project's own among them. */
  parameters: string[];
  /** Elements that can be hidden or read-only. */
  fields: string[];
};

/** POST …/access-policies/{id}/copy: the policy that was made there. */
export type CopiedPolicy = { policy: { reference: string; display?: string } };
