import { AppError } from '#lib/base/errors.ts';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';
import { POLICY_TEST } from '#lib/protocol/policies/policy-test.ts';
import type { ResourceChange } from '../type-rule.ts';

type Holder = (change: ResourceChange) => Promise<void>;

let hold: Holder | undefined;

/** What runs the tests of a policy stands above this room, since it makes requests: the door says who does it (lib/http/door/api-route.ts). */
export function holdPolicyTestsBy(holder: Holder): void {
  hold = holder;
}

/** Throws what the tests of the policy, and of those based on it, say against it, and where nobody could run them. */
export async function requirePolicyTests(change: ResourceChange): Promise<void> {
  const { extension = [] } = change.after as unknown as AccessPolicy;
  // On a new one nothing stands.
  if (!change.before && !extension.some(({ url }) => url === POLICY_TEST)) return;
  if (!hold) throw new AppError('exception', 'Nobody runs the tests of policies here');
  await hold(change);
}
