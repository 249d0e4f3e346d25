import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { isAnyOf } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Identifier } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../../access/context.ts';
import { findBotByIdentifier } from '../../bots/find-bot-by-identifier.ts';

const MOST_IDENTIFIERS = 10;

/**
 * The id of the one bot of the actor's project that has one of these identifiers; undefined for none. Throws 409 where there is nothing to find it by,
 * and 412 for several.
 */
export async function findNamesake(ctx: Ctx, identifiers: readonly Identifier[]): Promise<string | undefined> {
  const named = identifiers.filter(({ value }) => value);
  if (named.length === 0)
    throw new AppError('conflict', 'The bot has no identifier by which the other project could have it');
  const found = new Set<string>();
  for (const { system = '', value } of named.slice(0, MOST_IDENTIFIERS)) {
    const id = await findBotByIdentifier(ctx, `${system}|${value}`).catch(asNone);
    if (id) found.add(id);
  }
  if (found.size > 1)
    throw new AppError('multiple-matches', 'Several bots of that project have identifiers of this one');
  return [...found][0];
}

/** Whether a bot of the project has one of these identifiers, whoever may read it. */
export async function isNamed(q: Queryable, projectId: string, identifiers: readonly Identifier[]): Promise<boolean> {
  const wanted = identifiers
    .filter(({ value }) => value)
    .slice(0, MOST_IDENTIFIERS)
    .map(({ system, value }) => `${system ?? ''}|${value}`);
  const [found] = await q.execute(sql`
    select 1 from resource, jsonb_array_elements(content::jsonb->'identifier') as i
    where project_id = ${projectId}::uuid and type_id = ${typeId('Bot')} and not deleted
      and ${isAnyOf(sql`coalesce(i->>'system', '') || '|' || (i->>'value')`, wanted)}
    limit 1`);
  return found !== undefined;
}

function asNone(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not-found') return undefined;
  throw error;
}
