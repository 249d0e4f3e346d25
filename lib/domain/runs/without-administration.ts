import type { Actor } from '../access/context.ts';
import { INTERACTIONS, type Rule } from '../access/rule.ts';
import type { BotRequest } from './bot-request.ts';

/** Nobody is there who asked for it: what happened did. */
const EVENTS: ReadonlySet<BotRequest['trigger']> = new Set(['subscription', 'cron', 'hl7', 'mail']);

/**
 * The rights that a bot runs with when an event began it. Where these are a person's (`runAsUser`: the author of a Subscription), their administration is not
 * among them, neither by /admin nor by FHIR: they wrote a Subscription once, and whoever deploys the bot afterwards would invite people in their name. A bot
 * whose own membership is an administrator's could do all of it as itself.
 */
export function withoutAdministration(actor: Actor, own: Actor | undefined, trigger: BotRequest['trigger']): Actor {
  if (!EVENTS.has(trigger) || !actor.admin || own?.admin) return actor;
  return { ...actor, admin: false, superAdmin: false, policy: { ...actor.policy, scope: MEMBERS } };
}

/** As a scope, which both must allow: what a member may whom no policy limits. */
const MEMBERS: Rule[] = [
  { resourceType: '*', interactions: new Set(INTERACTIONS), expr: { op: 'all' } },
  ...['Bot', 'ClientApplication'].map((resourceType): Rule => {
    return { resourceType, interactions: new Set(['read', 'vread', 'history', 'search']), expr: { op: 'all' } };
  }),
];
