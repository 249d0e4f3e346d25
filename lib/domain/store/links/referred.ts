import { type SQL, sql } from 'drizzle-orm';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { toJsonPath } from '#lib/protocol/fhir/index/json-path.ts';
import type { Branch, Hop } from '#lib/protocol/fhir/index/path-compile.ts';
import type { SearchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { tokenHead } from '#lib/protocol/fhir/index/tokens.ts';

/**
 * The ids of what row `r` refers to by this parameter, of this type of ours and whichever version, as a set of `target(id)`: null of what else it
 * refers to. What says the type already, and is dear (`where(resolve() is …)`), is not asked twice.
 */
export function idsReferred(param: SearchParam, type: string): SQL {
  const branches = param.path.filter(({ type }) => type === 'Reference');
  const open = branches.map((branch) => opened(branch, type));
  return sql`(select ${idReferred(type)} as id from ${textsAt(param, open)}) target`;
}

/** The same references of row `r` as they are written, as one JSON array: to read an id out of each costs the program a tenth of what it costs PostgreSQL. */
export function referencesAll(param: SearchParam, type: string): SQL {
  const paths = pathsOf(
    param.path.filter((branch) => branch.type === 'Reference').map((branch) => opened(branch, type)),
  );
  if (param.own) {
    const found = sql`unnest(${toTextArray(paths)}::text[]) p(path), jsonb_path_query(r.content, p.path::jsonpath) f(v)`;
    return sql`coalesce((select jsonb_agg(f.v) from ${found}), '[]')`;
  }
  const arrays = [...new Set(paths)].map((text) => sql`jsonb_path_query_array(r.content, ${sql.raw(quoted(text))})`);
  return arrays.length === 0 ? sql`'[]'::jsonb` : sql.join(arrays, sql.raw(' || '));
}

/** The id that a reference to this type of ours has, whichever version it names: as `idReferred` reads it of a row. */
export function readId(type: string): (reference: unknown) => string | undefined {
  const base = fhirBase().replace(/[^A-Za-z0-9]/g, '\\$&');
  const start = `${type}/`;
  const whole = new RegExp(`^(?:${base}/)?${start}([A-Za-z0-9.-]+)(?:/_history/[A-Za-z0-9.-]+)?$`);
  return (reference) => {
    if (typeof reference !== 'string') return undefined;
    const isShort = reference.startsWith(start) && reference.indexOf('/', start.length) < 0;
    return isShort ? reference.slice(start.length) : whole.exec(reference)?.[1];
  };
}

function opened(branch: Branch, type: string): Branch {
  return { ...branch, hops: branch.hops.filter((hop) => !isOfType(hop, type)) };
}

function isOfType(hop: Hop, type: string): boolean {
  return 'condition' in hop && 'refersTo' in hop.condition && hop.condition.refersTo === type;
}

/** The references and canonicals of row `r` by this parameter as they are written, as a set of `ref(v)`. */
export function texts(param: SearchParam): SQL {
  return textsAt(param, param.path);
}

/** Paths stand in the text where they are ours, and never a caller's. */
function textsAt({ own }: SearchParam, branches: readonly Branch[]): SQL {
  const paths = pathsOf(branches);
  if (own) {
    const found = sql`unnest(${toTextArray(paths)}::text[]) p(path), jsonb_path_query(r.content, p.path::jsonpath) f(v)`;
    return sql`(select f.v #>> '{}' as v from ${found}) ref`;
  }
  const sets = [...new Set(paths)].map(
    (text) => sql`select jsonb_path_query(r.content, ${sql.raw(quoted(text))}) #>> '{}' as v`,
  );
  return sql`(${sql.join(sets, sql.raw(' union all '))}) ref`;
}

function pathsOf(branches: readonly Branch[]): string[] {
  return branches.map((branch) => `${toJsonPath(branch)}${branch.type === 'Reference' ? '.reference' : ''}`);
}

/** An expression of PostgreSQL costs more than all else of a reference, and few need it. What is no id is found nowhere. */
function idReferred(type: string): SQL {
  const base = fhirBase().replace(/[^A-Za-z0-9]/g, '\\$&');
  // Without a bound, which PostgreSQL's expressions take ten times as long for: no id that is longer is found anywhere.
  const id = '[A-Za-z0-9.-]+';
  const start = `${type}/`;
  const end = sql`substr(ref.v, ${start.length + 1}::int)`;
  return sql`case when starts_with(ref.v, ${start}) and strpos(${end}, '/') = 0 then ${end}
    when strpos(ref.v, ${start}) > 0 then substring(ref.v from ${`^(?:${base}/)?${type}/(${id})(?:/_history/${id})?$`}::text) end`;
}

/** The tokens of which a row that refers to row `r`, of this type, has one: what `tokensReferringTo` makes in the program. */
export function tokensReferringToRow(param: SearchParam, projectId: string, type: string): SQL {
  const reference = hashed(tokenHead(param, projectId, 'reference'), `${type}/`);
  return sql`array[${reference}, ${hashed(tokenHead(param, projectId, 'uri'), `${fhirBase()}/${type}/`)}]`;
}

/** As `tokenHash` (tokens.ts) has it, of a text that ends with the row's id. */
function hashed(head: string, start: string): SQL {
  const text = sql`${`${head}|`}::text || (length(r.id) + ${start.length}::int)::text || ${`:${start}`}::text || r.id`;
  return hashOf(text);
}

/** As `tokenHash` has it, of a text, whose length JavaScript counts in units of UTF-16. */
export function hashedText(head: string, text: SQL): SQL {
  const length = sql`(length(${text}) + length(regexp_replace(${text}, '[^\\U00010000-\\U0010ffff]', '', 'g')))`;
  return hashOf(sql`${`${head}|`}::text || ${length}::text || ':' || ${text}`);
}

function hashOf(text: SQL): SQL {
  return sql`('x' || encode(substring(sha256(convert_to(${text}, 'UTF8')) from 1 for 8), 'hex'))::bit(64)::bigint`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
