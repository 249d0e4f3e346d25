import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';
import type { Actor } from '../access/context.ts';

/** The rules that this session has, as an AccessPolicy: which types, and what of them. Criteria stay on the server. */
export function effectivePolicy(actor: Actor): AccessPolicy {
  return {
    resourceType: 'AccessPolicy',
    resource: actor.policy.rules.map((rule) => ({
      resourceType: rule.resourceType,
      interaction: [...rule.interactions],
    })),
  };
}
