import { fhirBase } from '#lib/base/fhir-base.ts';
import { compartmentTypes } from '#lib/protocol/fhir/index/compartments.ts';
import type { SearchParam } from '#lib/protocol/fhir/index/search-params.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { parseCriteria } from '#lib/protocol/fhir/search/parse-criteria.ts';
import { isResourceScope, parseSmartScope, type SmartAction, splitScopes } from '#lib/protocol/smart-scopes.ts';
import type { Interaction, Rule } from './rule.ts';

/**
 * Where scopes are judged: the project, the patient (`Patient/id`) that `patient/` scopes are about, if there is one, and whether another system
 * started the app.
 */
export type ScopeContext = { projectId: string; patient: string | undefined; isLaunched?: boolean };

const ALLOWED: Record<SmartAction, readonly Interaction[]> = {
  c: ['create'],
  r: ['read', 'vread', 'history'],
  u: ['update'],
  d: ['delete'],
  s: ['search'],
};

/** The patient whom `patient/` scopes are about (SMART App Launch, launch context): whom the app was started about, or the person themselves. */
export function patientOf({ profile, patient }: { profile: string; patient?: string }): string | undefined {
  return patient ?? (profile.startsWith('Patient/') ? profile : undefined);
}

/**
 * What the scopes of a login leave of its membership's policy, as rules beside that policy's: both must allow. Undefined when no scope asks
 * for resources, which limits nothing. A scope that cannot be judged, or is about a patient where there is none, gives no rule.
 */
export function scopeRules(scope: string, context: ScopeContext): Rule[] | undefined {
  const asked = splitScopes(scope).filter(isResourceScope);
  return asked.length === 0 ? undefined : asked.flatMap((item) => rulesOfScope(item, context));
}

/** Of one scope; none when it grants nothing. */
export function rulesOfScope(scope: string, { projectId, patient }: ScopeContext): Rule[] {
  const parsed = parseSmartScope(scope);
  if (!parsed || (parsed.context === 'patient' && !patient)) return [];
  const interactions = new Set(parsed.actions.flatMap((action) => ALLOWED[action]));
  if (parsed.context !== 'patient' && parsed.type === '*') {
    return [{ resourceType: '*', interactions, expr: { op: 'all' } }];
  }
  const types = parsed.type === '*' ? compartmentTypes('Patient') : [parsed.type];
  return types.flatMap((type) => {
    const queries = [
      ...(parsed.context === 'patient' ? ['_compartment=%patient'] : []),
      ...(parsed.query === undefined ? [] : [parsed.query]),
    ];
    const found = exprOf(type, queries, projectId, patient);
    return found ? [{ resourceType: type, interactions, ...found }] : [];
  });
}

/** Parsed one by one: nothing that a query says reaches the limit to the compartment. */
function exprOf(
  type: string,
  queries: string[],
  projectId: string,
  patient: string | undefined,
): Pick<Rule, 'expr' | 'own' | 'asks'> | undefined {
  const args: Expr[] = [];
  const own: SearchParam[] = [];
  const asks: SearchParam[] = [];
  for (const query of queries) {
    const bind = (name: string) => (name === 'patient' && patient ? [patient] : undefined);
    const parsed = parseCriteria(`${type}?${query}`, bind, projectId, { baseUrl: fhirBase(), isOfScope: true });
    if (!parsed) return undefined;
    args.push(parsed.expr);
    own.push(...parsed.own);
    asks.push(...parsed.asks);
  }
  const [only] = args;
  const expr: Expr = only && args.length === 1 ? only : args.length === 0 ? { op: 'all' } : { op: 'and', args };
  return { expr, ...(own.length > 0 && { own }), ...(asks.length > 0 && { asks }) };
}
