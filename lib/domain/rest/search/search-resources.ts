import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { mapInTurns } from '#lib/base/turns.ts';
import type { Part } from '#lib/protocol/fhir/search/controls.ts';
import { and, type Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { SearchQuery } from '#lib/protocol/fhir/search/parse-search.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { gateOf } from '../../access/fields.ts';
import { reach } from '../../access/policy.ts';
import { noteRead } from '../../audit/note-read.ts';
import { countMembers } from '../../invites/count-members.ts';
import { splitOwn } from '../../invites/member-status.ts';
import { knowParams } from '../../store/own-params/know-params.ts';
import { parseOwn } from '../../store/own-params/parse-own.ts';
import { PAGE_BYTES } from '../../store/page-weight.ts';
import { type Row, toWire } from '../../store/row.ts';
import { searchRows } from '../../store/search-rows.ts';
import { refuseClosed } from '../locate.ts';
import { shownAll } from '../shown.ts';
import { ruleOf } from '../type-rules.ts';
import { findIncluded } from './find-included.ts';
import type { Included } from './find-referring.ts';
import { resolveLinks } from './resolve-links.ts';
import { type BundleEntry, toSearchBundle } from './search-bundle.ts';
import { isSubset, toSubset } from './subset.ts';

export type Shape = {
  /** Project and author in `meta` (contract §1.1 item 4). */
  extended: boolean;
  /** Of a search: unknown parameters are passed over, and named in the answer. */
  lenient?: boolean;
  /** Of a history: how much of each version. */
  part?: Part;
};

/** A search of a type that asks for less of it: how its address reads, and which of the type are asked of. */
export type Inside = { path: string; filter: Expr };

/** A searchset Bundle as JSON text. Everything in it lies within the caller's policy; a parameter that is not understood is 400. */
export async function searchResources(
  ctx: Ctx,
  type: string,
  params: readonly (readonly [string, string])[],
  { extended, lenient }: Shape = { extended: false },
  inside?: Inside,
): Promise<string> {
  const actor = requireActor(ctx);
  typeId(type);
  refuseClosed(actor, type, 'search');
  const { elsewhere } = ruleOf(type);
  if (elsewhere && inside) throw new AppError('unknown-type', `${type} is not searched in a compartment`);
  if (elsewhere) return elsewhere.search(ctx, params, extended);
  // Rules that ask by what is over since they were made let nothing through.
  await knowParams(actor.projectId, ctx.write?.tx);
  const within = reach(actor, type, 'search');
  const { params: fhir, own, also } = splitOwn(actor.projectId, type, params);
  const options = { baseUrl: fhirBase(), lenient, isLinking: true, gate: gateOf(actor) };
  const asked = await parseOwn(type, fhir, actor.projectId, options, ctx.write?.tx);
  requireStored(asked);
  const parsed = inside ? { ...asked, path: inside.path, filter: and([inside.filter, asked.filter]) } : asked;
  const query = {
    ...parsed,
    self: [...parsed.self, ...own.map(([name, value]): [string, string] => [name, value])],
  };
  const understood = params.filter(([name]) => !parsed.ignored?.includes(name));
  const isWhole = type === 'ProjectMembership' && within.op === 'all';
  const countBy = isWhole ? countMembers(actor.projectId, understood) : undefined;
  const resolved = await resolveLinks(ctx, parsed, within);
  const { rows, next, total } = await searchRows(
    actor.projectId,
    { ...query, ...resolved, also: both(also, resolved.also), countBy, mostBytes: PAGE_BYTES },
    within,
    ctx.write?.tx,
  );
  // What is hidden of them leads nowhere.
  const matches = await shownAll(actor, rows, ctx.write?.tx);
  const ids = rows.map(({ id }) => id);
  noteRead(ctx, type, undefined, ids);
  const included = query.summary === 'text' ? NONE : await findIncluded(actor, query, matches, ctx.write?.tx);
  for (const [other, shown] of Map.groupBy(included.rows, (row) => row.type)) {
    noteRead(
      ctx,
      other,
      undefined,
      shown.map(({ id }) => id),
    );
  }
  const write = isSubset(query)
    ? (row: Row) => toSubset(row.type, toWire(row, extended), query)
    : (row: Row) => toWire(row, extended);
  const toEntry = (row: Row, mode: BundleEntry['mode']) => ({ type: row.type, id: row.id, resource: write(row), mode });
  const entries = [
    ...(await mapInTurns(matches, (row) => toEntry(row, 'match'))),
    ...(await mapInTurns(included.rows, (row) => toEntry(row, 'include'))),
  ];
  return toSearchBundle(query, { entries, total, next, warnings: included.warnings });
}

function both(one: SQL | undefined, other: SQL | undefined): SQL | undefined {
  return one && other ? sql`${one} and ${other}` : (one ?? other);
}

/** Nothing is looked for where it is not: it would be told that there is none. */
function requireStored({ revinclude }: SearchQuery): void {
  const other = revinclude.find(({ source }) => ruleOf(source).elsewhere);
  if (!other) return;
  throw new AppError('invalid', `_revinclude of ${other.source} is not supported`, { expression: '_revinclude' });
}

const NONE: Included = { rows: [], warnings: [] };
