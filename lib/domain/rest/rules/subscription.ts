import { AppError } from '#lib/base/errors.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { TypeRule } from '../type-rule.ts';

/** Nothing is delivered yet: one that says it is, or asks for it, is refused. */
const STANDING_BY = ['off', 'error'];

export const subscriptionRule: TypeRule = {
  prepare({ after }) {
    requireStandingBy(after);
    return after;
  },
};

export function requireStandingBy(subscription: Resource): void {
  const { status } = subscription as { status?: string };
  if (STANDING_BY.includes(status ?? '')) return;
  const text = `Subscriptions are not delivered yet, so none can be ${status}: keep it with status off`;
  throw new AppError('business-rule', text, { expression: 'Subscription.status' });
}
