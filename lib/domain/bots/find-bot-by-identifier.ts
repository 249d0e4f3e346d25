import { AppError, notFound } from '#lib/base/errors.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import { searchRows } from '../store/search-rows.ts';

/**
 * The id of the one Bot with this identifier (`value` or `system|value`) that the caller can read. Throws 400 when the value says
 * nothing, 404 for none, 412 for several.
 */
export async function findBotByIdentifier(ctx: Ctx, identifier: string | null): Promise<string> {
  const actor = requireActor(ctx);
  if (!identifier || identifier.endsWith('|')) {
    throw new AppError('invalid', 'Must specify bot ID or identifier', { expression: 'identifier' });
  }
  // A comma is part of an identifier here, not a list.
  const escaped = identifier.replace(/[\\,$]/g, '\\$&');
  const query = parseSearch(
    'Bot',
    [
      ['identifier', escaped],
      ['_count', '2'],
    ],
    actor.projectId,
  );
  const { rows } = await searchRows(actor.projectId, query, reach(actor, 'Bot', 'read'));
  const [bot] = rows;
  if (!bot) throw notFound();
  if (rows.length > 1)
    throw new AppError('multiple-matches', 'Several bots have this identifier', { expression: 'identifier' });
  return bot.id;
}
