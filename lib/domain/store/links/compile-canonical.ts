import { type SQL, sql } from 'drizzle-orm';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { tokensOfCanonical, tokensReferringTo } from '#lib/protocol/fhir/index/reference-tokens.ts';
import { type SearchParam, searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { tokenHead } from '#lib/protocol/fhir/index/tokens.ts';
import { hasAnyToken } from '../planner/has-any-token.ts';
import { inProject, ofType } from '../planner/in-project.ts';
import { hasOneOf, type Linked, type Such } from './compile-link.ts';
import { addressOf, isNamedByOneOf, type Name, names, namesOneOf, type Published } from './named.ts';
import { hashedText, tokensReferringToRow } from './referred.ts';

/** Of row `r`: what it is searched by, and whose canonicals or address are meant. */
type Row = { projectId: string; type: string };

/** That the row names one of these: found by tokens, of which some are of another version. */
export function namesSome({ projectId, type }: Row, param: SearchParam, targets: readonly Published[]): Linked {
  const base = fhirBase();
  const tokens = targets.flatMap((target) => {
    const named = [target.url ?? [], target.url && target.version ? `${target.url}|${target.version}` : []].flat();
    const byUrl = named.flatMap((name) => tokensOfCanonical(param, projectId, name, base));
    return [...tokensReferringTo(param, projectId, target, base), ...byUrl];
  });
  return hasOneOf(projectId, type, [...new Set(tokens)], namesOneOf(param, targets));
}

/** That one of these names is the row's: its own, or by its type and id. */
export function isNamed({ projectId, type }: Row, found: readonly Name[]): Linked {
  const ids = found.flatMap(({ url }) => (url.startsWith(`${type}/`) ? [url.slice(type.length + 1)] : []));
  const byId = sql`r.id = any(${`{${ids.filter((id) => /^[A-Za-z0-9.-]+$/.test(id)).join(',')}}`}::text[])`;
  const url = searchParam(type, 'url');
  if (!url) return { leads: byId, probes: byId, isIndexed: true };
  const tokens = found.flatMap((name) =>
    forms(name.url).flatMap((form) => tokensOfCanonical(url, projectId, form, undefined)),
  );
  const byUrl = hasOneOf(projectId, type, [...new Set(tokens)], isNamedByOneOf(found));
  return {
    leads: sql`(${byId} or ${byUrl.leads})`,
    probes: sql`(${byId} or ${byUrl.probes})`,
    isIndexed: true,
  };
}

/** As `refersTo`, by canonicals: each is looked up. */
export function namesAny(end: Such, param: SearchParam): SQL {
  const url = searchParam(end.type, 'url');
  const among = sql`select * from resource r where ${inProject(end.projectId, !!url)} and ${ofType(end.type)}`;
  const byId = sql`${among} and r.id = substring(name.url from ${`^${end.type}/(.+)$`}::text)`;
  const byUrl = url && sql`(${among} and ${hasAnyToken(tokensOfUrl(url, end.projectId))} offset 0)`;
  const rows = byUrl
    ? sql`(${byId} offset 0) union all (select * from ${byUrl} r where ${hasVersion(sql`name.version`)})`
    : byId;
  return sql`coalesce((select true from ${names(param)}, lateral (${rows}) r where not r.deleted and ${end.fits} limit 1), false)`;
}

/** As `isReferredBy`, by canonicals: looked for by the row's own tokens. */
export function isNamedByAny(end: Such, param: SearchParam, type: string): SQL {
  const byId = tokensReferringToRow(param, end.projectId, type);
  const url = sql`(r.content ->> 'url')`;
  const head = tokenHead(param, end.projectId, 'uri');
  const own = sql`select ${byId} || array[${hashedText(head, sql`(${type}::text || '/' || r.id)`)},
    ${hashedText(head, url)}, ${hashedText(head, addressOf(url))}] as tokens,
    ${addressOf(url)} as url, r.content ->> 'version' as version, ${type}::text || '/' || r.id as id offset 0`;
  const isMeant = sql`name.url = own.id or (name.url = own.url and coalesce(name.version = own.version, name.version is null))`;
  return sql`coalesce((select true from (${own}) own, lateral (
    select * from resource r where ${inProject(end.projectId, true)} and ${ofType(end.type)} and ${hasAnyToken(sql`own.tokens`)} offset 0) r
    where not r.deleted and exists (select from ${names(param)} where ${isMeant}) and ${end.fits} limit 1), false)`;
}

/** How the address may stand in a resource: of this server as a whole. */
function forms(url: string): string[] {
  return [url, `${fhirBase()}/${url}`];
}

function tokensOfUrl(url: SearchParam, projectId: string): SQL {
  const head = tokenHead(url, projectId, 'uri');
  return sql`array[${hashedText(head, sql`name.url`)}, ${hashedText(head, sql`(${`${fhirBase()}/`}::text || name.url)`)}]`;
}

function hasVersion(version: SQL): SQL {
  return sql`(${version} is null or ${version} = r.content ->> 'version')`;
}
