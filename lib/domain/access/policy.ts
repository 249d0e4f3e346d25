import { createLane } from '#lib/base/lane.ts';
import { takeTurns } from '#lib/base/turns.ts';
import { isInTime } from '#lib/protocol/fhir/identity/membership-dates.ts';
import { ownParamsOf } from '#lib/protocol/fhir/index/search-params.ts';
import { and, type Expr } from '#lib/protocol/fhir/search/ir.ts';
import { mergeLinks } from '#lib/protocol/fhir/search/merge-links.ts';
import { noteKept } from './access-weight.ts';
import { policyEntries } from './entries.ts';
import { entryRules, isOpen, type PlaceRule, type PolicySource, placesOf, speaksOf } from './entry-rules.ts';
import { refused } from './refused.ts';
import { ALL, INTERACTIONS, type Interaction, READING, type Rule, rule } from './rule.ts';
import { type Into, intoOf } from './writes-into.ts';

/**
 * `scope`: what the login's scopes leave of the rules (scope-rules.ts). Where it is given, both must allow. `places`: from where, the first that
 * fits decides. `into`: where what is written under it belongs.
 */
export type Policy = { rules: Rule[]; scope?: Rule[]; places?: PlaceRule[]; into?: Into[] };
/** Who is limited by one: an actor. */
type Bound = { policy: Policy };

/** No `*` rule and no member's policy reaches these. */
const ADMIN_TYPES = new Set([
  'Project',
  'ProjectMembership',
  'User',
  'UserSecurityRequest',
  'AccessPolicy',
  'DomainConfiguration',
]);
const SYSTEM_TYPES = new Set(['Login', 'JsonWebKey']);
/** Who did what: for administrators, and for whom a rule names it. No `*` reaches it. */
const LOG_TYPES = new Set(['AuditEvent']);
/** Programs: a `*` rule lets a member see and run them, but writing code or clients takes a rule that names the type, or an admin. */
const PROGRAM_TYPES = new Set(['Bot', 'ClientApplication']);

/** What everybody reads whom no rule tells otherwise: one each, for all. */
const [PARAMETERS, DEFINITIONS] = [rule('SearchParameter', READING), rule('StructureDefinition', READING)];

/** Of those that take long, one at a time in a process: then its turns are the only ones that others wait for. */
const long = createLane(1);

/**
 * The effective rules of a membership: the union of its policies with the parameters bound, and what its role adds (contract §4.1, §4.4). Long ones
 * take a second and more (access-weight.ts bounds them): in turns, between which others are answered.
 */
export function compilePolicy(source: PolicySource): Promise<Policy> {
  return inTurns(compileSteps(source));
}

/** What is made of rules step by step, between which others are answered. */
export async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  const turn = takeTurns();
  let step = steps.next();
  let pause: Promise<void> | undefined;
  for (; !step.done && !pause; pause = turn()) step = steps.next();
  if (step.done) return step.value;
  await pause;
  return long(async () => {
    const next = takeTurns();
    for (; !step.done; step = steps.next()) {
      const others = next();
      if (others) await others;
    }
    return step.value;
  });
}

/** In steps, each at most a rule. */
export function* compileSteps(source: PolicySource): Generator<void, Policy> {
  const { membership, superAdmin } = source;
  const rules: Rule[] = isOpen(source) ? [rule('*', INTERACTIONS)] : [];
  for (const entry of policyEntries(membership)) for (const each of yield* entryRules(entry, source)) rules.push(each);
  const open = superAdmin ? rules : rules.filter((r) => !ADMIN_TYPES.has(r.resourceType));
  for (const type of ['SearchParameter', 'StructureDefinition']) {
    if (!speaksOf(type, source)) open.push(type === 'SearchParameter' ? PARAMETERS : DEFINITIONS);
  }
  if (superAdmin && isOpen(source))
    open.push(...[...ADMIN_TYPES, ...PROGRAM_TYPES, ...LOG_TYPES].map((type) => rule(type, INTERACTIONS)));
  if (!superAdmin && membership.admin === true) open.push(...adminRules(source.projectId));
  const places = yield* placesOf(source);
  // As long as it is: what grew has room for more, for as long as it is kept.
  const into = intoOf(source);
  const policy = { rules: open.slice(), ...(places.length > 0 && { places }), ...(into.length > 0 && { into }) };
  noteKept(policy.rules, source);
  return policy;
}

/**
 * What the caller may reach of a type in this interaction, as a predicate for the WHERE clause or for `evaluate`.
 * Throws 403 when no rule speaks of it at all, or no scope.
 */
export function reach({ policy }: Bound, type: string, interaction: Interaction): Expr {
  const byPolicy = granted(policy.rules, type, interaction, covers);
  if (!byPolicy) throw refused(type, interaction);
  const byScope = scopeReach(policy, type, interaction);
  const isGuarded = type === 'Binary' && (interaction === 'search' || interaction === 'history');
  return and([byPolicy, byScope, ...(isGuarded ? [unguarded(policy)] : [])]);
}

/**
 * Who may read some and not all finds no Binary that belongs to something: each is asked for by itself, and so is what it belongs to. Nor does who reads all
 * records find what belongs to something that no `*` reaches.
 */
function unguarded({ rules, scope }: Policy): Expr {
  const isOpen = (r: Rule) => {
    return r.resourceType === '*' && r.expr.op === 'all' && r.interactions.has('read') && isInForce(r);
  };
  if (!rules.some(isOpen) || (scope && !scope.some(isOpen))) return { op: 'unguarded' };
  const closed = [...ADMIN_TYPES, ...PROGRAM_TYPES, ...LOG_TYPES].filter((type) => {
    const isRead = rules.some((r) => r.expr.op === 'all' && covers(r, type, 'read'));
    return !isRead || (scope && !scope.some((r) => r.expr.op === 'all' && scopeCovers(r, type, 'read')));
  });
  return closed.length === 0 ? ALL : { op: 'unguarded', of: closed };
}

/** Whether any rule speaks of the interaction, and any scope, without asking which instances. */
export function mayReach({ policy }: Bound, type: string, interaction: Interaction): boolean {
  const { rules, scope } = policy;
  return (
    rules.some((r) => covers(r, type, interaction)) &&
    (scope === undefined || scope.some((r) => scopeCovers(r, type, interaction)))
  );
}

/** Whether it limits nothing but what only administrators may touch. */
export function isUnlimited({ rules, scope }: Policy): boolean {
  return (
    scope === undefined &&
    rules.some(({ resourceType, interactions, expr, constraint, time }) => {
      // What ends is a limit, too.
      const isWhole = expr.op === 'all' && interactions.size === INTERACTIONS.length && !constraint && !time;
      return resourceType === '*' && isWhole;
    }) &&
    !rules.some(({ fields }) => fields)
  );
}

/** The rules as a reader is shown them: of which types, and what may be done, after the scopes. */
export function rulesInForce({ rules, scope }: Policy): { resourceType: string; interactions: Interaction[] }[] {
  if (!scope)
    return rules
      .filter(isInForce)
      .map(({ resourceType, interactions }) => ({ resourceType, interactions: [...interactions] }));
  return rules.flatMap((r) =>
    scope.flatMap((s) => {
      const type = r.resourceType === '*' ? s.resourceType : r.resourceType;
      const both = INTERACTIONS.filter((i) => covers(r, type, i) && scopeCovers(s, type, i));
      return both.length === 0 ? [] : [{ resourceType: type, interactions: both }];
    }),
  );
}

/** Its criteria, as they are at this moment. */
export function exprOf({ now, expr }: Rule): Expr {
  return now?.() ?? expr;
}

/** What the scopes alone leave of it. */
export function scopeReach({ scope }: Policy, type: string, interaction: Interaction): Expr {
  const byScope = scope ? granted(scope, type, interaction, scopeCovers) : ALL;
  if (!byScope) throw refused(type, interaction);
  return byScope;
}

const known = new WeakMap<readonly Rule[], Map<string, Expr | undefined>>();

/** What any of these rules lets through; put together once for as long as they are kept, where no moment changes it. */
function granted(
  rules: readonly Rule[],
  type: string,
  interaction: Interaction,
  isFor: typeof covers,
): Expr | undefined {
  const kept = known.get(rules) ?? new Map<string, Expr | undefined>();
  const key = `${type} ${interaction}`;
  if (kept.has(key)) return kept.get(key);
  const made = anyOf(rules.filter((r) => isFor(r, type, interaction)));
  const isFixed = rules.every((r) => !(r.resourceType === type || r.resourceType === '*') || !changes(r));
  if (isFixed) known.set(rules, kept.set(key, made));
  return made;
}

/** Whether it says something else at another moment, without being another rule. */
function changes({ time, now, own = [] }: Rule): boolean {
  return time !== undefined || now !== undefined || own.length > 0;
}

function anyOf(rules: Rule[]): Expr | undefined {
  const all = rules.map(exprOf);
  if (all.some((arg) => arg.op === 'all')) return ALL;
  const links = all.flatMap((arg) => (arg.op === 'related' ? arg.links : []));
  const ids = all.flatMap((arg) => (arg.op === 'id' ? arg.anyOf : []));
  const named: Expr[] = ids.length === 0 ? [] : [{ op: 'id', anyOf: [...new Set(ids)] }];
  const others = [...named, ...all.filter(({ op }) => op !== 'related' && op !== 'id')];
  const args: Expr[] = links.length === 0 ? others : [...others, { op: 'related', links: mergeLinks(links) }];
  return args.length > 1 ? { op: 'or', args } : args[0];
}

/**
 * An actor may be older than a change of what its rules ask by: a bot, a long Bundle. By then nothing is indexed under that any more, and `:not` of it
 * would be everything.
 */
export function isUpToDate({ own = [] }: Rule): boolean {
  return own.every(({ id, base, own: of }) => {
    return ownParamsOf(base, of?.projectId ?? '').some((param) => param.id === id && param.own?.isReady);
  });
}

function isInForce({ time }: Rule): boolean {
  return time === undefined || isInTime(time);
}

/** Whether the rule speaks of it, of whichever instances. */
export function covers(r: Rule, type: string, interaction: Interaction): boolean {
  if (SYSTEM_TYPES.has(type) || !r.interactions.has(interaction) || !isInForce(r) || !isUpToDate(r)) return false;
  if (r.resourceType === type) return true;
  if (r.resourceType !== '*' || ADMIN_TYPES.has(type) || LOG_TYPES.has(type)) return false;
  return !PROGRAM_TYPES.has(type) || READING.includes(interaction);
}

/**
 * Who gives an app access to records gives it neither the administration nor programs: a scope lets these be seen only when it names the
 * type, and never be changed.
 */
export function scopeCovers(r: Rule, type: string, interaction: Interaction): boolean {
  if (SYSTEM_TYPES.has(type) || !r.interactions.has(interaction) || !isInForce(r) || !isUpToDate(r)) return false;
  const isClosed = ADMIN_TYPES.has(type) || PROGRAM_TYPES.has(type) || LOG_TYPES.has(type);
  if (r.resourceType === type) return !isClosed || READING.includes(interaction);
  return r.resourceType === '*' && !isClosed;
}

/** What no policy of a member opens. */
export function isForAdministrators(type: string): boolean {
  return ADMIN_TYPES.has(type) || SYSTEM_TYPES.has(type);
}

function adminRules(projectId: string): Rule[] {
  return [
    rule('Project', ['read', 'vread', 'history', 'search', 'update'], { op: 'id', anyOf: [projectId] }),
    rule('ProjectMembership', READING),
    rule('User', READING),
    rule('UserSecurityRequest', READING),
    rule('AccessPolicy', INTERACTIONS),
    rule('AuditEvent', READING),
    rule('Bot', INTERACTIONS),
    rule('ClientApplication', INTERACTIONS),
  ];
}
