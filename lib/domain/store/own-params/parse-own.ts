import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { readProgress } from '#lib/infra/db/upkeep.ts';
import { parseSearch, type SearchOptions, type SearchQuery } from '#lib/protocol/fhir/search/parse-search.ts';
import { knowParams } from './know-params.ts';
import { type Work, workOf } from './settle-params.ts';

/**
 * As `parseSearch`, with the project's own search parameters. Throws 503 for one whose index is being made, saying how far that is.
 */
export async function parseOwn(
  type: string,
  params: readonly (readonly [string, string])[],
  projectId: string,
  options: SearchOptions,
  q?: Queryable,
): Promise<SearchQuery> {
  await knowParams(projectId, q);
  return tellingProgress(projectId, () => parseSearch(type, params, projectId, options));
}

/** What reads a search by parameters that are known already; the 503 of one whose index is being made says how far that is. */
export async function tellingProgress<T>(projectId: string, parse: () => T): Promise<T> {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unavailable') throw error;
    const work = await readProgress<Work>(workOf(projectId));
    throw new AppError('unavailable', `${error.message} (${work?.looked ?? 0} resources are looked at)`, error.options);
  }
}
