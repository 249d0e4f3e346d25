import { isOpen, type PolicySource, type RuleSource } from '../access/entry-rules.ts';
import { compilePolicy, type Policy } from '../access/policy.ts';
import type { Rule } from '../access/rule.ts';

/** What the engine makes of a membership, and of which rule of which policy each part is; those of the role stand nowhere. */
export type ToldPolicy = { policy: Policy; told: ReadonlyMap<Rule, RuleSource>; isLimited: boolean };

/** Of a membership whose access is not broken (is-broken.ts). */
export async function toldPolicy(source: PolicySource): Promise<ToldPolicy> {
  const told = new Map<Rule, RuleSource>();
  const policy = await compilePolicy({ ...source, tell: (rule, of) => told.set(rule, of) });
  return { policy, told, isLimited: !isOpen(source) };
}
