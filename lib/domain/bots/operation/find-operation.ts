import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import {
  fitOf,
  implementingBot,
  type OperationDefinition,
  type OperationLevel,
} from '#lib/protocol/bots/operations/operation-definition.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { ALL } from '../../access/rule.ts';
import { toResource } from '../../store/row.ts';
import { searchRows } from '../../store/search-rows.ts';

export type BotOperation = { definition: OperationDefinition; botId: string };

/** Of a project that has more with one code, the newest are looked at. */
const MOST = 50;
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
  const { projectId } = requireActor(ctx);
  if (!CODE.test(code) || (type !== '' && !isResourceType(type))) return undefined;
  const asked: [string, string][] = [
    ['code', code],
    ['status', 'active'],
    ['kind', 'operation'],
    ['_sort', '-_lastUpdated'],
  ];
  const query = { ...parseSearch('OperationDefinition', asked, projectId), count: MOST };
  const { rows } = await searchRows(projectId, query, ALL);
  const found = rows.flatMap((row) => {
    const definition = toResource<OperationDefinition>(row);
    const botId = implementingBot(definition, fhirBase());
    const fit = fitOf(definition, level, type);
    // A search by code does not tell capitals apart everywhere; an address does.
    return botId !== undefined && fit > 0 && definition.code === code ? [{ definition, botId, fit }] : [];
  });
  const best = found.filter(({ fit }) => fit === Math.max(...found.map((one) => one.fit)));
  if (best.length > 1)
    throw new AppError('multiple-matches', `Several active OperationDefinitions are of $${code} here`);
  return best[0];
}
