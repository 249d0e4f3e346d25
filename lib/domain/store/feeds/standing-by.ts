import type { Resource } from '#lib/protocol/fhir/types.ts';

/**
 * A Subscription that comes from elsewhere, as it arrives: off, since it would tell of everything to an address that others tell, too. Undefined where
 * it is so already.
 */
export function standingBy(subscription: Resource & { status?: string }): Resource | undefined {
  const isOn = subscription.status === 'active' || subscription.status === 'requested';
  return isOn ? ({ ...subscription, status: 'off' } as Resource) : undefined;
}
