import type { Actor } from '../access/context.ts';
import { patientOf, scopeRules } from '../access/scope-rules.ts';

/**
 * The actor with what its scopes leave (SMART App Launch, scopes for resources): never more than the membership may. Without such a scope as
 * it is, unless its client has a list of those that it may have: it would get more by asking for less. With one there is no administration,
 * nor anything above the project: no such scope speaks of that.
 */
export function narrowActor(actor: Actor): Actor {
  const asked = scopeRules(actor.scope, { projectId: actor.projectId, patient: patientOf(actor) });
  const scope = asked ?? (actor.client?.scopes && []);
  if (!scope) return actor;
  return { ...actor, admin: false, superAdmin: false, policy: { ...actor.policy, scope } };
}
