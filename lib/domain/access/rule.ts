import type { EntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { SearchParam } from '#lib/protocol/fhir/index/search-params.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';

export const INTERACTIONS = ['read', 'vread', 'update', 'delete', 'history', 'create', 'search'] as const;
export type Interaction = (typeof INTERACTIONS)[number];

/** `own`: parameters of the project that it asks by. `now`: as the criteria are at this moment, where they speak of `%now`. `time`: outside of it
 * the rule is not there. `asks`: of a scope, the parameters that it asks by. */
export type Rule = {
  resourceType: string;
  interactions: ReadonlySet<Interaction>;
  expr: Expr;
  own?: readonly SearchParam[];
  now?: () => Expr;
  fields?: Fields;
  constraint?: Constraint;
  time?: EntryDates;
  asks?: readonly SearchParam[];
};
/** What must be true of a change, and what it may speak of by name (`%name`). */
export type Constraint = { expressions: readonly string[]; variables: Readonly<Record<string, readonly string[]>> };
/** Properties at the top of what the rule lets through that nobody sees by it, and that nobody changes by it. */
export type Fields = { hidden: readonly string[]; readonly: readonly string[] };

export const READING: Interaction[] = ['read', 'vread', 'history', 'search'];
export const ALL: Expr = { op: 'all' };

export function rule(resourceType: string, interactions: readonly Interaction[], expr: Expr = ALL): Rule {
  return { resourceType, interactions: new Set(interactions), expr };
}
