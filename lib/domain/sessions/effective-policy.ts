import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';
import type { Actor } from '../access/context.ts';
import { rulesInForce } from '../access/policy.ts';

/** The rules that this session has, as an AccessPolicy: which types, and what of them. Criteria stay on the server. */
export function effectivePolicy(actor: Actor): AccessPolicy {
  return {
    resourceType: 'AccessPolicy',
    resource: rulesInForce(actor.policy).map(({ resourceType, interactions }) => ({
      resourceType,
      interaction: interactions,
    })),
  };
}
