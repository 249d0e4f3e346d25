import { AppError } from '#lib/base/errors.ts';
import type { ExplainRequest } from '#lib/protocol/explain/explain-request.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { noteRead } from '../audit/note-read.ts';
import { searchResources } from '../rest/search/search-resources.ts';

/** Of a search, so many are looked at. */
const MOST = 20;
/** What says which page, and in which form: of these the explanation has its own. */
const OF_PAGES = [
  '_count',
  '_offset',
  '_cursor',
  '_page',
  '_summary',
  '_elements',
  '_total',
  '_include',
  '_revinclude',
];

/** Throws 400 for a query that asks for pages of its own. */
export function requirePlainQuery(query: string): void {
  const name = [...new URLSearchParams(query).keys()].find((each) => OF_PAGES.includes(each.split(':')[0]!));
  if (name)
    throw new AppError('invalid', `${name.slice(0, 80)} is not explained: the first ${MOST} are looked at`, {
      expression: 'query',
    });
}

/** The ids that a search finds for who asks for the explanation, who sees every record; these they have been shown. */
export async function findForAsker(
  ctx: Ctx,
  asker: Actor,
  projectId: string,
  asked: ExplainRequest,
): Promise<string[]> {
  const { resourceType: type, query = '' } = asked;
  const actor = { ...asker, projectId, auditReads: false };
  const params = [...new URLSearchParams(query), ['_count', String(MOST)] as const] as [string, string][];
  const ids = matchesOf(await searchResources({ ...ctx, actor }, type, params));
  noteRead(ctx, type, undefined, ids);
  return ids;
}

/** The query of the same search, for one that asks only of these. */
export function amongThese(query: string, ids: readonly string[]): string {
  const params = new URLSearchParams(query);
  if (ids.length > 0) params.append('_id', ids.filter(isFhirId).join(','));
  params.append('_count', String(MOST));
  return params.toString();
}

export function matchesOf(bundle: string): string[] {
  const { entry = [] } = JSON.parse(bundle) as { entry?: { resource: { id: string }; search: { mode: string } }[] };
  return entry.flatMap(({ resource, search }) => (search.mode === 'match' ? [resource.id] : []));
}
