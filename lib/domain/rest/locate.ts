import { AppError } from '#lib/base/errors.ts';
import type { Actor } from '../access/context.ts';
import { mayReach, reach } from '../access/policy.ts';
import { refused } from '../access/refused.ts';
import type { Interaction } from '../access/rule.ts';
import type { Located } from './type-rule.ts';
import { ruleOf } from './type-rules.ts';

/** Where an instance is kept and what of the type the caller may reach there. 403 when no rule speaks of the interaction. */
export async function locate(actor: Actor, type: string, id: string, interaction: Interaction): Promise<Located> {
  refuseClosed(actor, type, interaction);
  const located = ruleOf(type).locate?.(actor, id, interaction);
  return located ?? { projectId: actor.projectId, reach: reach(actor, type, interaction) };
}

/** 405 for what FHIR does not offer for the type, saying where it is done; 403 to a caller to whom the type is closed anyway. */
export function refuseClosed(actor: Actor, type: string, interaction: Interaction): void {
  const text = ruleOf(type).closed?.[interaction];
  if (text === undefined) return;
  if (!mayReach(actor, type, 'read')) throw refused(type, interaction);
  throw new AppError('method-not-allowed', text, { headers: { allow: 'GET, HEAD, OPTIONS' } });
}
