import type { Policy } from './policy.ts';
import { READING } from './rule.ts';

/** Whether nothing of any record is hidden from them. */
export function seesAll({ policy: { rules, scope } }: { policy: Policy }): boolean {
  if (scope || rules.some(({ fields }) => fields)) return false;
  // What begins or ends is a limit, too.
  const open = rules.filter(({ resourceType, expr, time }) => resourceType === '*' && expr.op === 'all' && !time);
  return READING.every((interaction) => open.some(({ interactions }) => interactions.has(interaction)));
}
