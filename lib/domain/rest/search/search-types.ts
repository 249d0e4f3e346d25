import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { mapInTurns } from '#lib/base/turns.ts';
import { isIgnored } from '#lib/protocol/fhir/search/controls.ts';
import { and } from '#lib/protocol/fhir/search/ir.ts';
import type { SearchQuery } from '#lib/protocol/fhir/search/parse-search.ts';
import { badParameter } from '#lib/protocol/fhir/search/values.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import { type Actor, type Ctx, requireActor } from '../../access/context.ts';
import { gateOf } from '../../access/fields.ts';
import { mayReach, reach } from '../../access/policy.ts';
import { noteRead } from '../../audit/note-read.ts';
import { countSeveral, findSeveral, type Part } from '../../store/links/find-several.ts';
import { parseOwn } from '../../store/own-params/parse-own.ts';
import { PAGE_BYTES } from '../../store/page-weight.ts';
import { type Row, toWire } from '../../store/row.ts';
import { refuseClosed } from '../locate.ts';
import { shownAll } from '../shown.ts';
import { ruleOf } from '../type-rules.ts';
import { compartmentTokens, inCompartment, type Owner, typesWithin } from './compartment.ts';
import { type Asked, findMerged, type Page } from './find-merged.ts';
import { type Resolved, resolveLinks } from './resolve-links.ts';
import { toSearchBundle } from './search-bundle.ts';
import type { Shape } from './search-resources.ts';
import { formatSpot, parseSpot } from './spots.ts';
import { toPart } from './subset.ts';

export type Params = readonly (readonly [string, string])[];

/** Each is a search of its own. */
const MOST_TYPES = 20;
/** What shapes an answer of one type only. */
const OF_ONE_TYPE = new Set(['_include', '_revinclude', '_offset', '_cursor', '_type']);

/**
 * A search over several types (R4 http §3.1.0.9): those that `_type` names, or all of a compartment. The newest first, or by `_sort=_lastUpdated`;
 * each type within the caller's reach of it, with parameters that each of them has. A searchset Bundle as JSON text.
 */
export async function searchTypes(ctx: Ctx, params: Params, shape: Shape, owner?: Owner): Promise<string> {
  const actor = requireActor(ctx);
  const types = typesAsked(actor, params, owner);
  const parsed = await parseAll(ctx, types, params, shape);
  const query = parsed[0]!;
  requireOrder(query);
  const parts = await Promise.all(parsed.map((one) => partOf(ctx, actor, one)));
  const cursor = onlyOne(params, '_cursor');
  const after = cursor === undefined ? undefined : parseSpot(cursor, types);
  const { rows, next, total } = owner
    ? await searchWithin(ctx, actor, owner, query, { parts, after })
    : await findMerged(actor, query, { parts, after }, ctx.write?.tx);
  for (const [type, found] of Map.groupBy(rows, (row) => row.type)) {
    noteRead(
      ctx,
      type,
      undefined,
      found.map(({ id }) => id),
    );
  }
  const { extended } = shape;
  const write = (row: Row) => toPart(row.type, toWire(row, extended), query);
  const entries = await mapInTurns(await shownAll(actor, rows, ctx.write?.tx), (row) => {
    return { type: row.type, id: row.id, resource: write(row), mode: 'match' as const };
  });
  const path = owner ? `${owner.type}/${owner.id}/*` : '';
  const self = params
    .filter(([name]) => !isIgnored(name) && !query.ignored?.includes(name))
    .map(([name, value]): [string, string] => [name, value]);
  return toSearchBundle(
    { ...query, path, self, offset: 0 },
    { entries, total, next: next && formatSpot(next), warnings: [] },
  );
}

/** By name, each must be one that the caller may search; of all that a compartment may hold, those that they may. */
function typesAsked(actor: Actor, params: Params, owner: Owner | undefined): string[] {
  const named = params.filter(([name]) => name === '_type').flatMap(([, value]) => value.split(',', MOST_TYPES + 1));
  const types = [...new Set(named)];
  if (types.length > MOST_TYPES) throw badParameter('_type', `_type takes at most ${MOST_TYPES} types`);
  if (types.length === 0) {
    if (!owner) throw badParameter('_type', 'A search over types needs _type');
    const within = typesWithin(owner).filter((type) => mayReach(actor, type, 'search'));
    if (within.length === 0) throw new AppError('forbidden', 'Forbidden');
    return within;
  }
  for (const type of types) {
    if (!isResourceType(type))
      throw badParameter('_type', `Unknown resource type in _type: ${String(type).slice(0, 80)}`);
    refuseClosed(actor, type, 'search');
    const isIn = owner ? typesWithin(owner).includes(type) : !ruleOf(type).elsewhere;
    if (!isIn)
      throw badParameter(
        '_type',
        `${type} is not searched ${owner ? `in the compartment of a ${owner.type}` : 'with others'}`,
      );
  }
  return types;
}

/** What one of the types lacks would find all of that type: where the caller is lenient, it is passed over for all. */
async function parseAll(ctx: Ctx, types: string[], params: Params, { lenient }: Shape): Promise<SearchQuery[]> {
  const parsed = await Promise.all(types.map((type) => parsedFor(ctx, type, params, lenient)));
  const ignored = [...new Set(parsed.flatMap((query) => query.ignored ?? []))];
  if (ignored.length === 0) return parsed;
  const known = params.filter(([name]) => !ignored.includes(name));
  const hasAll = (query: SearchQuery) => query.ignored?.length === ignored.length;
  const again = async (query: SearchQuery) => (hasAll(query) ? query : parsedFor(ctx, query.type, known));
  return Promise.all(parsed.map(async (query) => ({ ...(await again(query)), ignored })));
}

function parsedFor(ctx: Ctx, type: string, params: Params, lenient?: boolean): Promise<SearchQuery> {
  const refused = params.find(([name]) => OF_ONE_TYPE.has(name) && name !== '_type' && name !== '_cursor');
  if (refused) throw badParameter(refused[0], `${refused[0]} is not supported in a search over types`);
  const own = params.filter(([name]) => !OF_ONE_TYPE.has(name));
  const actor = requireActor(ctx);
  const options = { baseUrl: fhirBase(), lenient, isLinking: true, gate: gateOf(actor) };
  return parseOwn(type, own, actor.projectId, options, ctx.write?.tx);
}

function requireOrder({ sort }: SearchQuery): void {
  if (sort.every(({ param }) => param.code === '_lastUpdated')) return;
  throw badParameter('_sort', 'A search over types is sorted by _lastUpdated');
}

async function partOf(ctx: Ctx, actor: Actor, query: SearchQuery): Promise<Part & Resolved> {
  const within = reach(actor, query.type, 'search');
  const { filter, ...more } = await resolveLinks(ctx, query, within);
  return { type: query.type, filter: and([within, filter]), ...more };
}

async function searchWithin(
  ctx: Ctx,
  actor: Actor,
  owner: Owner,
  { count, sort, total, summary }: SearchQuery,
  { parts, after }: Asked,
): Promise<Page> {
  const { projectId } = actor;
  if (sort.some(({ descending }) => !descending))
    throw badParameter('_sort', 'A whole compartment is sorted by -_lastUpdated');
  const led = parts.map((part) => {
    const filter = inCompartment(actor, owner, part.type, part.filter);
    return { ...part, filter, tokens: compartmentTokens(projectId, owner, part.type) };
  });
  const query = { projectId, parts: led, count, after, mostBytes: PAGE_BYTES };
  const tx = ctx.write?.tx;
  const isCounted = count === 0 || summary === 'count';
  const { rows, next } = isCounted ? { rows: [], next: undefined } : await findSeveral(query, tx);
  const isAsked = isCounted || (total !== undefined && total !== 'none');
  return { rows, next, total: isAsked ? await countSeveral(query, tx) : undefined };
}

function onlyOne(params: Params, name: string): string | undefined {
  const found = params.filter(([each]) => each === name);
  if (found.length > 1) throw badParameter(name, `${name} may stand only once`);
  return found[0]?.[1];
}
