import { isUnlimited, type Policy } from './policy.ts';

/**
 * Whether a super-admin is one to the administration of projects and of the server, which asks no policy: whom a policy limits is where it lets them
 * change every Project at any time and whole, or where they are an administrator and it lets them do anything with all other types (contract §4.4: a
 * policy can restrict a super-admin client).
 */
export function mayGovern(policy: Policy, isAdmin: boolean): boolean {
  if (isAdmin && isUnlimited(policy)) return true;
  return policy.rules.some(({ resourceType, interactions, expr, now, fields, constraint, time }) => {
    const isWhole = expr.op === 'all' && !now && !fields && !constraint && !time;
    return resourceType === 'Project' && interactions.has('update') && isWhole;
  });
}
