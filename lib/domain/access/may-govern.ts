import type { Policy } from './policy.ts';

/**
 * Whether a super-admin is one to the administration of projects and of the server, which asks no policy: whom a policy limits is, where it lets them
 * change every Project at any time and whole (contract §4.4: a policy can restrict a super-admin client).
 */
export function mayGovern({ rules }: Policy): boolean {
  return rules.some(({ resourceType, interactions, expr, now, fields, constraint, time }) => {
    const isWhole = expr.op === 'all' && !now && !fields && !constraint && !time;
    return resourceType === 'Project' && interactions.has('update') && isWhole;
  });
}
