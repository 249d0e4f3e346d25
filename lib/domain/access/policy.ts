import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { ownParamsOf, type SearchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { and, type Expr } from '#lib/protocol/fhir/search/ir.ts';
import { type Bind, parseCriteria } from '#lib/protocol/fhir/search/parse-criteria.ts';
import type { AccessPolicy, ProjectMembership } from '#lib/protocol/fhir/types.ts';

export const INTERACTIONS = ['read', 'vread', 'update', 'delete', 'history', 'create', 'search'] as const;
export type Interaction = (typeof INTERACTIONS)[number];

/** `own`: parameters of the project that it asks by. `now`: as the criteria are at this moment, where they speak of `%now`. */
export type Rule = {
  resourceType: string;
  interactions: ReadonlySet<Interaction>;
  expr: Expr;
  own?: readonly SearchParam[];
  now?: () => Expr;
};
/** `scope`: what the login's scopes leave of the rules (scope-rules.ts). Where it is given, both must allow. */
export type Policy = { rules: Rule[]; scope?: Rule[] };
/** Who is limited by one: an actor. */
type Bound = { policy: Policy };

const READING: Interaction[] = ['read', 'vread', 'history', 'search'];
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

const ALL: Expr = { op: 'all' };

export type PolicySource = {
  projectId: string;
  membership: ProjectMembership;
  /** Every policy that the membership names, by reference. A missing one fails the session before it comes here. */
  policies: ReadonlyMap<string, AccessPolicy>;
  superAdmin: boolean;
};

/** The effective rules of a membership: the union of its policies with the parameters bound, and what its role adds (contract §4.1, §4.4). */
export function compilePolicy(source: PolicySource): Policy {
  const { membership, superAdmin } = source;
  const entries = policyEntries(membership);
  const rules =
    entries.length === 0 ? [rule('*', INTERACTIONS)] : entries.flatMap((entry) => entryRules(entry, source));
  const open = superAdmin ? rules : rules.filter((r) => !ADMIN_TYPES.has(r.resourceType));
  for (const type of ['SearchParameter', 'StructureDefinition']) {
    if (!open.some((r) => r.resourceType === type)) open.push(rule(type, READING));
  }
  if (superAdmin && entries.length === 0)
    open.push(...[...ADMIN_TYPES, ...PROGRAM_TYPES, ...LOG_TYPES].map((type) => rule(type, INTERACTIONS)));
  if (!superAdmin && membership.admin === true) open.push(...adminRules(source.projectId));
  return { rules: open };
}

/**
 * What the caller may reach of a type in this interaction, as a predicate for the WHERE clause or for `evaluate`.
 * Throws 403 when no rule speaks of it at all, or no scope.
 */
export function reach({ policy }: Bound, type: string, interaction: Interaction): Expr {
  const byPolicy = anyOf(policy.rules.filter((r) => covers(r, type, interaction)));
  const byScope = policy.scope ? anyOf(policy.scope.filter((r) => scopeCovers(r, type, interaction))) : ALL;
  if (!byPolicy || !byScope) throw new AppError('forbidden', 'Forbidden');
  const isGuarded = type === 'Binary' && (interaction === 'search' || interaction === 'history');
  return and([byPolicy, byScope, ...(isGuarded ? [unguarded(policy)] : [])]);
}

/**
 * Who may read some and not all finds no Binary that belongs to something: each is asked for by itself, and so is what it belongs to. Nor does who reads all
 * records find what belongs to something that no `*` reaches.
 */
function unguarded({ rules, scope }: Policy): Expr {
  const isOpen = (r: Rule) => r.resourceType === '*' && r.expr.op === 'all' && r.interactions.has('read');
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
    rules.some(({ resourceType, interactions, expr }) => {
      return resourceType === '*' && expr.op === 'all' && interactions.size === INTERACTIONS.length;
    })
  );
}

/** The rules as a reader is shown them: of which types, and what may be done, after the scopes. */
export function rulesInForce({ rules, scope }: Policy): { resourceType: string; interactions: Interaction[] }[] {
  if (!scope) return rules.map(({ resourceType, interactions }) => ({ resourceType, interactions: [...interactions] }));
  return rules.flatMap((r) =>
    scope.flatMap((s) => {
      const type = r.resourceType === '*' ? s.resourceType : r.resourceType;
      const both = INTERACTIONS.filter((i) => covers(r, type, i) && scopeCovers(s, type, i));
      return both.length === 0 ? [] : [{ resourceType: type, interactions: both }];
    }),
  );
}

function anyOf(rules: Rule[]): Expr | undefined {
  const args = rules.map((r) => r.now?.() ?? r.expr);
  if (args.some((arg) => arg.op === 'all')) return ALL;
  return args.length > 1 ? { op: 'or', args } : args[0];
}

/**
 * An actor may be older than a change of what its rules ask by: a bot, a long Bundle. By then nothing is indexed under that any more, and `:not` of it
 * would be everything.
 */
function isUpToDate({ own = [] }: Rule): boolean {
  return own.every(({ id, base, own: of }) => {
    return ownParamsOf(base, of?.projectId ?? '').some((param) => param.id === id && param.own?.isReady);
  });
}

function covers(r: Rule, type: string, interaction: Interaction): boolean {
  if (SYSTEM_TYPES.has(type) || !r.interactions.has(interaction) || !isUpToDate(r)) return false;
  if (r.resourceType === type) return true;
  if (r.resourceType !== '*' || ADMIN_TYPES.has(type) || LOG_TYPES.has(type)) return false;
  return !PROGRAM_TYPES.has(type) || READING.includes(interaction);
}

/**
 * Who gives an app access to records gives it neither the administration nor programs: a scope lets these be seen only when it names the
 * type, and never be changed.
 */
function scopeCovers(r: Rule, type: string, interaction: Interaction): boolean {
  if (SYSTEM_TYPES.has(type) || !r.interactions.has(interaction) || !isUpToDate(r)) return false;
  const isClosed = ADMIN_TYPES.has(type) || PROGRAM_TYPES.has(type) || LOG_TYPES.has(type);
  if (r.resourceType === type) return !isClosed || READING.includes(interaction);
  return r.resourceType === '*' && !isClosed;
}

function rule(resourceType: string, interactions: readonly Interaction[], expr: Expr = ALL): Rule {
  return { resourceType, interactions: new Set(interactions), expr };
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

type Entry = { policy: string; parameter: NonNullable<NonNullable<ProjectMembership['access']>[number]['parameter']> };

function policyEntries(membership: ProjectMembership): Entry[] {
  const whole = membership.accessPolicy?.reference;
  const listed = membership.access ?? [];
  return [
    // A reference that says nothing is still a limit: it names no policy, so it grants nothing.
    ...(membership.accessPolicy ? [{ policy: whole ?? '', parameter: [] }] : []),
    ...listed.map((item) => ({ policy: item.policy?.reference ?? '', parameter: item.parameter ?? [] })),
  ];
}

/** Keys of AccessPolicy and of its rules that this engine judges. A policy or rule that says anything else grants nothing. */
const JUDGED_POLICY = new Set(['resourceType', 'id', 'meta', 'name', 'resource', 'text', 'language', 'extension']);
const JUDGED_RULE = new Set(['id', 'resourceType', 'criteria', 'readonly', 'interaction']);

function entryRules(entry: Entry, source: PolicySource): Rule[] {
  const policy = source.policies.get(entry.policy);
  if (!policy || Object.keys(policy).some((key) => !JUDGED_POLICY.has(key))) return [];
  const bind = binder(entry, source.membership);
  return (policy.resource ?? []).flatMap((item) => {
    if (!item.resourceType || Object.keys(item).some((key) => !JUDGED_RULE.has(key))) return [];
    const interactions = item.interaction ?? (item.readonly ? READING : [...INTERACTIONS]);
    if (item.criteria === undefined) return [rule(item.resourceType, interactions as Interaction[])];
    const found = readCriteria(item.criteria, item.resourceType, bind, source.projectId);
    return found ? [{ ...rule(item.resourceType, interactions as Interaction[]), ...found }] : [];
  });
}

type Judged = Pick<Rule, 'expr' | 'own' | 'now'>;

/** What stands in a rule once, and is kept with it; what speaks of `%now` is read again each time. */
function readCriteria(text: string, type: string, bind: Bind, projectId: string): Judged | undefined {
  const parse = () => parseCriteria(text, bind, projectId, { baseUrl: fhirBase() });
  const parsed = parse();
  if (parsed?.type !== type) return undefined;
  const { expr, own, isTimed } = parsed;
  const now = (): Expr => parse()?.expr ?? { op: 'none' };
  return { expr, ...(own.length > 0 && { own }), ...(isTimed && { now }) };
}

/** `%name` to its values. The same name several times means any of them. `%now`, to the millisecond, is for dates. */
function binder(entry: Entry, membership: ProjectMembership): Bind {
  const values = new Map<string, string[]>();
  for (const { name, valueString, valueReference } of entry.parameter) {
    const value = valueString ?? valueReference?.reference;
    if (name && value !== undefined) values.set(name, [...(values.get(name) ?? []), value]);
  }
  const profile = membership.profile?.reference;
  if (profile) {
    values.set('profile', [profile]);
    if (profile.startsWith('Patient/') && !values.has('patient')) values.set('patient', [profile]);
  }
  return (name, type) => {
    return values.get(name) ?? (name === 'now' && type === 'date' ? [new Date().toISOString()] : undefined);
  };
}
