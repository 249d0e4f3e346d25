import type { Party } from '../answers/audit.ts';

/**
 * A rule in words. `by`: of a policy, at that `index`; of the `role` (what administrators, or all members, may anyway); or `none`, where no
 * policy limits. `text` is to be read after "may". `policy` is null for who is not told which it is.
 */
export type ToldRule = {
  by: 'policy' | 'role' | 'none';
  policy: Party | null;
  index: number | null;
  text: string;
};

/** Somebody who can read a record. `unknown`: their membership, or one of its policies, is kept no longer as it was then. */
export type Sees = {
  membership: string;
  kind: 'person' | 'bot' | 'client';
  profile: Party;
  user: Party;
  admin: boolean;
  access: 'read' | 'unknown';
  /** The first that lets them; null where that is unknown. */
  rule: ToldRule | null;
  /** What of the record it hides from them. */
  hidden: string[];
  /** Whether their policies say from where they are used. */
  isPlaced: boolean;
};

/** GET /admin/projects/{id}/access/who: who can read a record, now or at an instant. */
export type WhoCanRead = {
  resource: string;
  at: string;
  /** What the record was then; `unknown`: its version of then is kept no longer. */
  state: 'present' | 'deleted' | 'unknown';
  version: string | null;
  /** How many memberships this page looked at. */
  looked: number;
  /** By so many of these nobody comes in now: a policy that they name is not there, or their rules come to more than a member may have. */
  broken: number;
  members: Sees[];
  /** There may be more of them. */
  next: string | null;
};

/** `some`: of those records that a rule says. */
export type Extent = 'all' | 'some' | 'none';

/** `interactions`: which of them the rule is of. `values`: of its variables, over all entries of the membership that have the rule. */
export type GrantingRule = ToldRule & { interactions: string[]; hidden: string[]; readonly: string[] };

/** What may be done with a type; `*` is every type that is not named. */
export type TypePermissions = { type: string; interactions: Record<string, Extent>; rules: GrantingRule[] };

/**
 * What a membership may do, before the scopes of a token. `state`: `broken`, where a policy is named that is not there, or the rules come to more
 * than a member may have, and so nothing is granted; `closed`, where it is not entered now.
 */
export type Permissions = {
  state: 'open' | 'closed' | 'broken';
  /** No policy limits it, and no type is closed but the administration's. */
  isUnlimited: boolean;
  isPlaced: boolean;
  /** Into whose compartments goes what they write, beside where its references put it; null where no policy says it. */
  writesInto: string[] | null;
  types: TypePermissions[];
  /** Rules that grant nothing as they are: a variable has no value, or they cannot be judged. */
  idle: ToldRule[];
  /** How many rules are not told, since there are too many. */
  left: number;
};

/** GET /admin/projects/{id}/members/{id}/permissions. */
export type MemberPermissions = Permissions & { membership: string; profile: Party; admin: boolean };

/** How many records; null: not counted, since that takes too long, or is not the caller's to know. */
export type Counted = number | null;
/** For each member of a group. */
export type RecordEffect = { gained: Counted; lost: Counted };

export type TypeEffect = {
  type: string;
  /** What may be done with it at all, and could not before; and the other way round. */
  gains: string[];
  loses: string[];
  /** Records that can be read, and changed; absent where that stays. */
  read?: RecordEffect;
  change?: RecordEffect;
  /** Elements that are hidden or read-only of some record, and were of none; and the other way round. */
  fields: { hides: string[]; shows: string[]; fixes: string[]; frees: string[] };
  /** What must be true of a change is something else. */
  isConstraintChanged: boolean;
};

/** Members whom the change does the same to. `first`: some of them by name. */
export type GroupEffect = {
  members: number;
  first: Party[];
  types: TypeEffect[];
  arePlacesChanged: boolean;
  /** What they write belongs elsewhere than before. */
  isCompartmentChanged: boolean;
};

/** What saving a draft would do. `members`: who is touched; where `isExact` is false, at least so many, and `groups` are of these. */
export type AccessEffect = {
  members: { count: number; isExact: boolean };
  types: string[];
  /** Those to whom something changes; the largest first. `left`: members in groups beyond those told. */
  groups: GroupEffect[];
  left: number;
  unchanged: number;
  /**
   * So many could not come in with it, and nothing else is told of them: a policy that they name is not there, or their rules would come to more than a
   * member may have.
   */
  broken: number;
};
