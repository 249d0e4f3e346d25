import { readsAny } from '#lib/protocol/fhir/search/gate.ts';
import { and } from '#lib/protocol/fhir/search/ir.ts';
import type { Actor } from '../access/context.ts';
import { hasFields, visibleWhere } from '../access/fields.ts';
import { withoutGlass } from '../access/glass.ts';
import type { Rule } from '../access/rule.ts';
import { patientOf, scopeRules } from '../access/scope-rules.ts';

/**
 * The actor with what its scopes leave (SMART App Launch, scopes for resources): never more than the membership may. Without such a scope as
 * it is, unless its client has a list of those that it may have: it would get more by asking for less. With one there is no administration,
 * nor anything above the project, nor what they have in an emergency: no such scope speaks of that.
 */
export function narrowActor(actor: Actor): Actor {
  const asked = scopeRules(actor.scope, { projectId: actor.projectId, patient: patientOf(actor) });
  const scope = asked ?? (actor.client?.scopes && []);
  if (!scope) return actor;
  const seen = scope.map((rule) => withinSight(actor, rule));
  const { glassMinutes: _, ...own } = withoutGlass(actor);
  return { ...own, admin: false, superAdmin: false, policy: { ...own.policy, scope: seen } };
}

/** Who asks for a token chooses what its scopes ask by: of what is hidden from them, nothing is let through, so that it tells them nothing. */
function withinSight(actor: Actor, rule: Rule): Rule {
  const { asks = [], resourceType: type, expr } = rule;
  if (asks.length === 0 || !hasFields(actor, type)) return rule;
  const reads = (names: ReadonlySet<string>) => asks.some((param) => readsAny(param, names));
  const now = () => and([visibleWhere(actor, type, reads), expr]);
  return { ...rule, expr: now(), now };
}
