import type { Party } from '../answers/audit.ts';

/** A policy with its name. `reference` is null for a draft that was not stored yet. */
export type ToldPolicy = { reference: string | null; display: string | null };

/** A rule that speaks of the type. */
export type ToldRule = {
  /** Null where no policy says it: what administrators may, what is so without any policy. */
  policy: ToldPolicy | null;
  /** The how manieth of the policy's rules, from 0. */
  index: number | null;
  text: string;
  /** Whether it is for this interaction. */
  covers: boolean;
  /** Whether its criteria hold of the resource at hand, before and after a change; null where there is none. */
  holds: boolean | null;
};

/** One of the things that must all be so. `isMet`: null where it was not asked. */
export type Conjunct = {
  name: 'membership' | 'policies' | 'address' | 'scope' | 'rules' | 'constraints';
  isMet: boolean | null;
  text: string;
};

export type FailedConstraint = {
  policy: ToldPolicy | null;
  index: number | null;
  constraint: number;
  expression: string;
};

/** A record that a search of somebody who sees all finds. `rule`: its place in `rules`. */
export type ToldRow = { reference: string; isSeen: boolean; rule: number | null; hidden: string[] };

/** The answer of POST /admin/projects/{id}/access/explain. */
export type Explanation = {
  /** `some`: of a type, those records that the rules speak of; `rows`: of a search, those of `rows` that are seen. */
  outcome: 'allow' | 'deny' | 'some' | 'rows';
  /** What the request itself would be answered with. */
  status: number;
  text: string;
  conjuncts: Conjunct[];
  /** The rule that decided, by its place in `rules`. */
  rule: number | null;
  rules: ToldRule[];
  /** How many of `rules` are not told. */
  more: number;
  hidden: string[];
  readonly: string[];
  constraints: FailedConstraint[];
  /** Of a create or an update: the compartments that it would be put into, beside where its references put it. */
  writesInto: string[];
  rows: ToldRow[] | null;
};

/** GET /admin/projects/{id}/access/decisions/{decision}: what a policy refused. `at` is an instant. */
export type Decision = {
  id: string;
  at: string;
  membership: string;
  member: Party;
  /** Who really asked, with the rights of the member. */
  caller: Party | null;
  /** `ClientApplication/…`, where one is known. */
  client: string | null;
  scope: string;
  requestId: string;
  interaction: string;
  resourceType: string;
  /** Null where it was refused for every record of the type, and for who does not see all records. */
  resourceId: string | null;
  /** What the member was told. */
  text: string;
  /** Why, in words. */
  because: string;
  /** As they were then, those that speak of the type; null where they are kept no longer. */
  rules: ToldRule[] | null;
  more: number;
};
