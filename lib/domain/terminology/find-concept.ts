import { sql } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { db, type Queryable, runSql } from '#lib/infra/db/client.ts';
import { r4System } from '#lib/protocol/fhir/terminology/r4-system.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { parseJson } from '#lib/protocol/json/json.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import { noteRead } from '../audit/note-read.ts';
import { compileFilter } from '../store/compile-filter.ts';
import { findOwnCode } from './find-own-code.ts';
import { IS_WHOLE, settleSystems } from './settle-systems.ts';

/** A CodeSystem: by its address, with a version or not, or by the id of its resource. */
export type SystemName = { url?: string; version?: string; id?: string };

export type Head = {
  version?: string;
  name?: string;
  title?: string;
  status?: string;
  content?: string;
  caseSensitive?: boolean | null;
  properties?: string[];
};
/** A system of the project, or the codes of one of R4's. `folds`: whether it says that case is nothing to its codes; `isComplete`: it has no others; `properties`: that its concepts may have. */
export type FoundSystem =
  | { id: string; folds: boolean; isComplete: boolean; properties: string[] }
  | { codes: ReadonlySet<string> };
export type KnownConcept = {
  code: string;
  display: string | null;
  definition: string | null;
  parents: string[];
  rest: { designation?: Designation[]; property?: unknown[] };
};
export type Designation = { language?: string; use?: object; value?: string };
export type FoundConcept = { system: Head & { url: string; id?: string }; concept: KnownConcept | undefined };

/** `head` and `concept` are JSON. */
type Raw = { id: string; url: string; head: string; concept: string | null };

/**
 * A code in a system that the caller may see: of several with one address the version that is asked for, else the active one that was changed last. One
 * statement. R4's own systems are known where the project has none of that name. Throws 404 for an unknown system; a code that it lacks is undefined.
 */
export async function findConcept(ctx: Ctx, name: SystemName, code: string): Promise<FoundConcept> {
  const q = ctx.write?.tx ?? db();
  const exact = (await select(ctx, q, name, code)) ?? (await settled(ctx, q, name, code));
  const raw = exact && (await inOwnCase(ctx, q, exact, code, name.id === undefined ? 'search' : 'read'));
  if (raw) {
    noteRead(ctx, 'CodeSystem', raw.id);
    const head = parseJson(raw.head) as Head;
    if (head.content === 'supplement') throw unknownSystem(raw.url, 'it is a supplement');
    if (head.content === 'not-present') throw unknownSystem(raw.url, 'its concepts are not here');
    const concept = raw.concept === null ? undefined : (parseJson(raw.concept) as KnownConcept);
    return { system: { ...head, url: raw.url, id: raw.id }, concept };
  }
  if (name.id !== undefined) throw notFound();
  const { url = '', version } = name;
  const codes = version === undefined || version === '4.0.1' ? r4System(url) : undefined;
  if (!codes) throw unknownSystem(version === undefined ? url : `${url}|${version}`);
  const concept = { code, display: code, definition: null, parents: [], rest: {} };
  const head = { name: url.slice(url.lastIndexOf('/') + 1), version: '4.0.1' };
  return { system: { ...head, url }, concept: codes.has(code) ? concept : undefined };
}

function unknownSystem(url: string, why = 'it is not known here'): AppError {
  return new AppError('not-found', `The code system ${url.slice(0, 200)} cannot be asked: ${why}`, {
    expression: 'system',
  });
}

/** A system that the caller may see, or the codes of one of R4's. Throws 404 for an unknown one. */
export async function findSystem(ctx: Ctx, name: SystemName): Promise<FoundSystem> {
  const q = ctx.write?.tx ?? db();
  const raw = (await select(ctx, q, name, '')) ?? (await settled(ctx, q, name, ''));
  if (raw) {
    const { content, caseSensitive, properties = [] } = parseJson(raw.head) as Head;
    if (content === 'complete' || content === 'fragment' || content === 'example')
      return { id: raw.id, folds: caseSensitive === false, isComplete: content === 'complete', properties };
    throw unknownSystem(raw.url, `its content is ${content ?? 'not said'}`);
  }
  const { url = '' } = name;
  const codes = r4System(url);
  if (codes) return { codes };
  throw unknownSystem(name.version === undefined ? url : `${url}|${name.version}`);
}

type By = 'search' | 'read';

/** As the system writes the code, where case is nothing to it. */
async function inOwnCase(ctx: Ctx, q: Queryable, raw: Raw, code: string, by: By): Promise<Raw> {
  if (raw.concept !== null || (parseJson(raw.head) as Head).caseSensitive !== false) return raw;
  const own = await findOwnCode({ projectId: requireActor(ctx).projectId, systemId: raw.id }, code, q);
  return own === undefined ? raw : ((await select(ctx, q, { id: raw.id, by }, own)) ?? raw);
}

async function settled(ctx: Ctx, q: Queryable, name: SystemName, code: string): Promise<Raw | undefined> {
  await settleSystems(ctx, [name]);
  // Also where nothing was left to place: another may have done so since this one looked.
  return select(ctx, q, name, code);
}

async function select(ctx: Ctx, q: Queryable, { id, url, version, by }: SystemName & { by?: By }, code: string) {
  const actor = requireActor(ctx);
  const { projectId } = actor;
  const within = reach(actor, 'CodeSystem', id === undefined ? 'search' : (by ?? 'read'));
  const [raw] = await runSql<Raw>(
    q,
    sql`
    select s.id, s.url, s.head::text as head, case when c.code is not null then json_build_object('code', c.code,
      'display', c.display, 'definition', c.definition, 'parents', c.parents, 'rest', c.rest)::text end as concept
    from code_system s
    join resource r on r.project_id = ${projectId}::uuid and r.type_id = ${sql.raw(String(typeId('CodeSystem')))}
      and r.id = s.id and r.version = s.row_version and not r.deleted
    left join concept c on c.project_id = ${projectId}::uuid and c.system_id = s.id and c.code = ${code}
    where s.project_id = ${projectId}::uuid and ${sql.raw(IS_WHOLE)} and ${id === undefined ? sql`s.url = ${url ?? ''}` : sql`s.id = ${id}`}
      and (${version ?? null}::text is null or s.head->>'version' = ${version ?? null}::text)
      and ${compileFilter({ projectId, type: 'CodeSystem', correlated: true }, within)}
    order by (s.head->>'status' = 'active') desc nulls last, r.last_updated desc limit 1`,
  );
  return raw;
}
