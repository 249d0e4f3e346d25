import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { implementingBot, type OperationDefinition } from '#lib/protocol/bots/operations/operation-definition.ts';
import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import type { Actor } from '../../access/context.ts';
import { mayReach, reach } from '../../access/policy.ts';
import { loadBot } from '../../bots/load-bot.ts';
import { isWithin } from '../../store/within-reach.ts';
import type { TypeRule } from '../type-rule.ts';

/** What names a bot decides what others run by its code: it is for who may change that bot. */
export const operationDefinitionRule: TypeRule = {
  async prepare({ actor, after }) {
    const definition = after as Stored<Resource> & OperationDefinition;
    const botId = implementingBot(definition, fhirBase());
    if (botId !== undefined && !(await mayChange(actor, botId))) throw refused();
    return after;
  },
};

/** Of one that is not there whoever changes bots at all. */
async function mayChange(actor: Actor, botId: string): Promise<boolean> {
  if (!mayReach(actor, 'Bot', 'update')) return false;
  const bot = await loadBot(actor.projectId, botId);
  return !bot || isWithin(reach(actor, 'Bot', 'update'), bot.row);
}

function refused(): AppError {
  const text = 'An operation that a bot does is defined by who may change that bot';
  return new AppError('forbidden', text, { expression: 'OperationDefinition.extension' });
}
