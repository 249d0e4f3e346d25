import { type Expr, relatedIn } from '#lib/protocol/fhir/search/ir.ts';
import { everHidden, hasFields } from './fields.ts';
import { covers, type Policy } from './policy.ts';
import { READING, type Rule } from './rule.ts';
import { seesAll } from './sees-all.ts';

const made = new WeakMap<Policy, WeakMap<Policy, Policy>>();

/**
 * What an administrator sees with a member's eyes: what both of them may read, and nothing that either may write. The administrator's own rules are
 * a second conjunct, as the scopes of a login are; what is hidden from either is hidden. One for all requests, as long as both stand.
 */
export function viewPolicy(member: Policy, viewer: Policy): Policy {
  const known = made.get(member) ?? new WeakMap<Policy, Policy>();
  made.set(member, known);
  const policy = known.get(viewer) ?? makePolicy(member, viewer);
  known.set(viewer, policy);
  return policy;
}

function makePolicy(member: Policy, viewer: Policy): Policy {
  const rules = seesAll({ policy: viewer }) ? member.rules : shownRules(member, viewer);
  const scope = viewer.rules.flatMap(toReading);
  return { rules, scope, ...(member.places && { places: member.places }) };
}

/** Of a rule of the administrator: which records they read. */
function toReading({ resourceType, interactions, expr, own, now, time }: Rule): Rule[] {
  const reading = READING.filter((each) => interactions.has(each));
  if (reading.length === 0) return [];
  const also = { ...(own && { own }), ...(now && { now }), ...(time && { time }) };
  return [{ resourceType, interactions: new Set(reading), expr, ...also }];
}

/**
 * The member's rules as who is limited may see by them. Which records a rule lets through tells what it asks by: one that asks other records, or of a type
 * of which something is hidden from the administrator, lets nothing through. What the others show is without all that either hides of the type.
 */
function shownRules(member: Policy, viewer: Policy): Rule[] {
  const isShown = (rule: Rule) => asksNothing(rule) || (!asksOthers(rule) && !hasHidden(viewer, rule.resourceType));
  const shown = member.rules.filter(isShown);
  // What decided of the fields of some record may be gone.
  const closed = new Set(member.rules.filter((rule) => !isShown(rule)).map(({ resourceType }) => resourceType));
  const hidden = (type: string) => [
    ...everHidden({ policy: viewer }, type),
    ...(closed.has(type) ? everHidden({ policy: member }, type) : []),
  ];
  const fielded = [...viewer.rules, ...member.rules].flatMap((r) => (r.fields ? [r.resourceType] : []));
  const types = [...new Set(fielded)].filter((type) => hidden(type).length > 0);
  return shown.flatMap((rule) => withHidden(rule, types, hidden));
}

/** A rule for all types says of each of these what is hidden of it before it lets it through. */
function withHidden(rule: Rule, types: readonly string[], hidden: (type: string) => string[]): Rule[] {
  const { resourceType, fields } = rule;
  if (resourceType !== '*') {
    if (!types.includes(resourceType)) return [rule];
    const all = new Set([...(fields?.hidden ?? []), ...hidden(resourceType)]);
    return [{ ...rule, fields: { hidden: [...all], readonly: fields?.readonly ?? [] } }];
  }
  const own = types
    .filter((type) => READING.some((each) => covers(rule, type, each)))
    .map((type) => ({ ...rule, resourceType: type, fields: { hidden: hidden(type), readonly: [] } }));
  return [...own, rule];
}

function asksNothing({ expr, now }: Rule): boolean {
  return !now && (expr.op === 'all' || expr.op === 'id');
}

function asksOthers({ expr, now }: Rule): boolean {
  const asks = (one: Expr | undefined) => one !== undefined && relatedIn(one).length > 0;
  return asks(expr) || asks(now?.());
}

function hasHidden(viewer: Policy, type: string): boolean {
  return hasFields({ policy: viewer }, type);
}
