import { type Gate, readsAny } from '#lib/protocol/fhir/search/gate.ts';
import { and, type Expr, not } from '#lib/protocol/fhir/search/ir.ts';
import { covers, exprOf, isUpToDate, type Policy } from './policy.ts';
import { refused } from './refused.ts';
import { INTERACTIONS, type Interaction, type Rule } from './rule.ts';

type Bound = { policy: Policy };
/** Whether a rule holds of the resource at hand. */
export type Holds = (r: Rule) => boolean;

const NONE: ReadonlySet<string> = new Set();

/** Whether any rule of the type speaks of fields: of all others nothing has to be judged. */
export function hasFields({ policy: { rules } }: Bound, type: string): boolean {
  let types = fielded.get(rules);
  if (!types) {
    types = new Set(rules.flatMap(({ fields, resourceType }) => (fields ? [resourceType] : [])));
    fielded.set(rules, types);
  }
  return types.size > 0 && types.has(type);
}

const fielded = new WeakMap<readonly Rule[], Set<string>>();

/**
 * The properties of a resource that its reader does not see: what the first rule that holds of it hides, for any interaction. What one
 * door hides no other shows. Where none holds, one did a moment ago, until a date came or what it asks by changed: all that any hides.
 */
export function hiddenOf(bound: Bound, type: string, holds: Holds): ReadonlySet<string> {
  if (!hasFields(bound, type)) return NONE;
  if (isOver(bound, type) || !isHeld(bound, type, holds)) return everHidden(bound, type);
  return new Set(INTERACTIONS.flatMap((each) => deciding(bound, type, each, holds)?.fields?.hidden ?? []));
}

function isHeld(bound: Bound, type: string, holds: Holds): boolean {
  return INTERACTIONS.some((each) => deciding(bound, type, each, holds));
}

/** Whether one of its rules of fields asks by what is over: of which resources it held nobody knows, and those after it would show what it hides. */
function isOver({ policy }: Bound, type: string): boolean {
  return policy.rules.some((r) => r.fields && r.resourceType === type && !isUpToDate(r));
}

/** What any rule of the type hides, of whichever instances. */
export function everHidden({ policy }: Bound, type: string): ReadonlySet<string> {
  return new Set(
    policy.rules.flatMap(({ resourceType, fields }) => (resourceType === type ? (fields?.hidden ?? []) : [])),
  );
}

/** What stays as it is stored when this resource is changed, and is left out of a new one: what is hidden of it, and what the rule makes read-only. */
export function keptOf(
  bound: Bound,
  type: string,
  interaction: 'create' | 'update',
  holds: Holds,
): ReadonlySet<string> {
  if (!hasFields(bound, type)) return NONE;
  // What no rule holds of yet is no record to be protected: without what it says it might be one that they may make.
  if (interaction === 'create' && !isOver(bound, type) && !isHeld(bound, type, holds)) return NONE;
  const fixed =
    isOver(bound, type) || !isHeld(bound, type, holds)
      ? bound.policy.rules.flatMap((r) => (r.resourceType === type ? (r.fields?.readonly ?? []) : []))
      : (deciding(bound, type, interaction, holds)?.fields?.readonly ?? []);
  return new Set([...hiddenOf(bound, type, holds), ...fixed]);
}

function deciding({ policy }: Bound, type: string, interaction: Interaction, holds: Holds): Rule | undefined {
  return policy.rules.find((r) => covers(r, type, interaction) && holds(r));
}

/** Undefined for who is hidden nothing. */
export function gateOf(bound: Bound): Gate | undefined {
  if (!bound.policy.rules.some(({ fields }) => fields)) return undefined;
  return (type, param) => {
    if (!hasFields(bound, type)) return undefined;
    const reads = (names: ReadonlySet<string>) =>
      param === '_content' || (param === '_text' ? names.has('text') : readsAny(param, names));
    const visible = visibleWhere(bound, type, reads);
    if (visible.op !== 'none') return visible.op === 'all' ? undefined : visible;
    const code = typeof param === 'string' ? param : param.code;
    throw refused(type, 'search', `Your access policy hides what ${code} of ${type} asks by`);
  };
}

/** Of which resources none of these elements is hidden. */
export function visibleWhere(bound: Bound, type: string, reads: (names: ReadonlySet<string>) => boolean): Expr {
  const { policy } = bound;
  const hidden = isOver(bound, type) ? everHidden(bound, type) : NONE;
  if (hidden.size > 0 && reads(hidden)) return { op: 'none' };
  const lists = INTERACTIONS.map((each) => policy.rules.filter((r) => covers(r, type, each)));
  const distinct = new Map(lists.map((rules) => [rules.map((r) => policy.rules.indexOf(r)).join(), rules]));
  return and([...distinct.values()].flatMap((rules) => shownBy(rules, reads)));
}

/** One condition for each rule that hides it: that it does not hold, or one before it does. */
function shownBy(rules: readonly Rule[], reads: (names: ReadonlySet<string>) => boolean): Expr[] {
  const open: Expr[] = [];
  const conditions: Expr[] = [];
  for (const r of rules) {
    const expr = exprOf(r);
    if (r.fields && r.fields.hidden.length > 0 && reads(new Set(r.fields.hidden)))
      conditions.push(not(and([expr, ...open.map(not)])));
    else open.push(expr);
  }
  return conditions;
}
