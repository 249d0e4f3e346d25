import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import {
  implementingBot,
  isOnType,
  type OperationDefinition,
  type OperationLevel,
} from '#lib/protocol/bots/operations/operation-definition.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { mayReach } from '../../access/policy.ts';
import { ALL } from '../../access/rule.ts';
import { toResource } from '../../store/row.ts';
import { searchRows } from '../../store/search-rows.ts';

export type BotOperation = { definition: OperationDefinition; botId: string };

/** Of a project that has more with one code, the newest are looked at; and no more of them than so many bytes. */
const MOST = 20;
const MOST_BYTES = 1024 * 1024;
/** What stands in addresses as it is; R4 code has room for more. */
const CODE = /^[A-Za-z0-9][\w.-]{0,63}$/;

/**
 * The operation of this code that a bot does at this place, as an active OperationDefinition of the project says. That is how the project is made, and
 * no secret in it: who may run the bot may ask for it. Throws 412 where two say so alike.
 */
export async function findOperation(
  ctx: Ctx,
  code: string,
  { level, type }: { level: OperationLevel; type: string },
): Promise<BotOperation | undefined> {
  const actor = requireActor(ctx);
  // Who can run no bot is told nothing of them.
  if (!mayReach(actor, 'Bot', 'read')) return undefined;
  const { projectId } = actor;
  if (!CODE.test(code) || (type !== '' && !isResourceType(type))) return undefined;
  const here = await findDefined(projectId, code, level);
  const fitting = level === 'system' ? here : here.filter(({ definition }) => isOnType(definition, type));
  // As the peer documents it: one of the system that names no types is answered at each.
  const isOfAll = fitting.length === 0 && level === 'type';
  const found = isOfAll
    ? (await findDefined(projectId, code, 'system')).filter(({ definition }) => !definition.resource)
    : fitting;
  if (found.length > 1)
    throw new AppError('multiple-matches', `Several active OperationDefinitions are of $${code} here`);
  return found[0];
}

async function findDefined(projectId: string, code: string, level: OperationLevel): Promise<BotOperation[]> {
  const asked: [string, string][] = [
    ['code', code],
    ['status', 'active'],
    ['kind', 'operation'],
    [level, 'true'],
    ['_sort', '-_lastUpdated'],
  ];
  const query = { ...parseSearch('OperationDefinition', asked, projectId), count: MOST, mostBytes: MOST_BYTES };
  const { rows } = await searchRows(projectId, query, ALL);
  return rows.flatMap((row) => {
    const definition = toResource<OperationDefinition>(row);
    const botId = implementingBot(definition, fhirBase());
    // A search by code does not tell capitals apart everywhere; an address does.
    return botId !== undefined && definition.code === code ? [{ definition, botId }] : [];
  });
}
