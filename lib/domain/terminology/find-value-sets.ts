import { sql } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { db, runSql } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { uriToken } from '#lib/protocol/fhir/index/tokens.ts';
import { parseCanonical } from '#lib/protocol/fhir/references.ts';
import type { ValueSet } from '#lib/protocol/fhir/terminology/value-set.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import { noteRead } from '../audit/note-read.ts';
import { compileFilter } from '../store/compile-filter.ts';
import { fromRaw, type RawRow, type Row, toResource } from '../store/row.ts';

/** `url`: a canonical, with a version or not. */
export type Named = { url: string } | { id: string };
type Canonical = { url?: string; version?: string; status?: string; id?: string };
type Type = 'ValueSet' | 'ConceptMap' | 'StructureDefinition';

/** Of one statement. */
const MOST = 200;

/** The one that is asked for, as far as the caller may see it; undefined for none. By its id 404. */
export async function findNamed<T extends Canonical>(ctx: Ctx, type: Type, named: Named): Promise<T | undefined> {
  if (!('id' in named)) return (await findByUrls<T>(ctx, type, [named.url])).get(named.url);
  const [found] = await select(ctx, type, { tokens: [], ids: [named.id] });
  if (!found) throw notFound();
  return toResource<T>(found);
}

/** By canonical, in one statement: of several with one address the version that is asked for, else the active one that was changed last. */
export async function findByUrls<T extends Canonical = ValueSet>(
  ctx: Ctx,
  type: Type,
  canonicals: readonly string[],
): Promise<Map<string, T>> {
  const rows = await findRowsByUrls(ctx, type, canonicals);
  return new Map([...rows].map(([name, row]) => [name, toResource<T>(row)]));
}

/** The same, as they are stored: who shows them leaves out what is hidden from the caller. */
export async function findRowsByUrls(ctx: Ctx, type: Type, canonicals: readonly string[]): Promise<Map<string, Row>> {
  const { projectId } = requireActor(ctx);
  const param = searchParam(type, 'url');
  if (!param || canonicals.length === 0) return new Map();
  const tokens = canonicals.map((name) => uriToken(param, projectId, parseCanonical(name).url));
  const rows = await select(ctx, type, { tokens, ids: [] });
  const all = rows.map((row) => ({ row, ...toResource<Canonical>(row) }));
  const active = all.toSorted((a, b) => Number(b.status === 'active') - Number(a.status === 'active'));
  return new Map(
    canonicals.flatMap((name) => {
      const { url, version } = parseCanonical(name);
      const found = active.find((each) => each.url === url && (version === undefined || each.version === version));
      return found ? [[name, found.row] as const] : [];
    }),
  );
}

/** Throws 404 naming it. */
export function unknownSet(name: string): AppError {
  return new AppError('not-found', `${name.slice(0, 200)} is not known here`, { expression: 'url' });
}

async function select(ctx: Ctx, type: Type, { tokens, ids }: { tokens: bigint[]; ids: string[] }): Promise<Row[]> {
  const actor = requireActor(ctx);
  const { projectId } = actor;
  const within = reach(actor, type, ids.length > 0 ? 'read' : 'search');
  const which =
    ids.length > 0
      ? sql`r.id = any(${toTextArray(ids)}::text[])`
      : sql`r.tokens && ${`{${tokens.join(',')}}`}::bigint[]`;
  const raws = await runSql<RawRow>(
    ctx.write?.tx ?? db(),
    sql`
    select r.id, r.version, r.last_updated, r.author, r.meta::text as meta, r.content::text as content from resource r
    where r.project_id = ${projectId}::uuid and r.type_id = ${sql.raw(String(typeId(type)))} and not r.deleted and ${which}
      and ${compileFilter({ projectId, type, correlated: true }, within)}
    order by r.last_updated desc limit ${MOST}`,
  );
  for (const { id } of raws) noteRead(ctx, type, id);
  return raws.map((raw) => fromRaw(projectId, type, raw));
}
