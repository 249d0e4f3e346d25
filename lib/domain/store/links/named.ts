import { type SQL, sql } from 'drizzle-orm';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { SearchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { texts } from './referred.ts';

// A canonical names a resource by its address, with a version or any (R4 references §2.3.0.1), or by its type and id. Tokens do not tell
// `U` from `U|V`, of which both have that of `U`: they lead to the rows, and what these say decides.

/** A resource that may be named: `url` and `version` as it has them. */
export type Published = { type: string; id: string; url: string | null; version: string | null };

/** What a canonical says: an address, relative where it is `Type/id` of this server, and a version if it must be that. */
export type Name = { url: string; version: string | null };

const LOCAL = '([A-Za-z]+/[A-Za-z0-9.-]+)(?:/_history/[A-Za-z0-9.-]+)?$';

/** The canonicals of row `r` by this parameter, as a set of `name(url, version)`, addresses as `toName` has them. */
export function names(param: SearchParam): SQL {
  return sql`(select ${addressOf(sql`cut.url`)} as url, nullif(substr(ref.v, length(cut.url) + 2), '') as version
    from ${texts(param)}, lateral (select split_part(ref.v, '|', 1) as url) cut) name`;
}

/** An address of this server's without its base. */
function toName(url: string): string {
  return new RegExp(`^(?:${escaped(fhirBase())}/)?${LOCAL}`).exec(url)?.[1] ?? url;
}

/** As `toName`, of a text of the row. */
export function addressOf(url: SQL): SQL {
  return sql`coalesce(substring(${url} from ${`^(?:${escaped(fhirBase())}/)?${LOCAL}`}::text), ${url})`;
}

/** That row `r` names one of these. */
export function namesOneOf(param: SearchParam, targets: readonly Published[]): SQL {
  const byId = targets.map(({ type, id }) => `${type}/${id}`);
  const meant = targets.flatMap(({ url, version }) => {
    if (url === null) return [];
    return version === null ? [toName(url)] : [toName(url), `${toName(url)}|${version}`];
  });
  return sql`coalesce((select true from ${names(param)} where name.url = any(${toTextArray(byId)}::text[])
    or concat_ws('|', name.url, name.version) = any(${toTextArray([...new Set(meant)])}::text[]) limit 1), false)`;
}

/** That row `r` has the address that one of these names says, and its version. */
export function isNamedByOneOf(found: readonly Name[]): SQL {
  const whole = found.map(({ url, version }) => (version === null ? url : `${url}|${version}`));
  const meant = sql`any(${toTextArray(whole)}::text[])`;
  const url = addressOf(sql`(r.content ->> 'url')`);
  return sql`(${url} = ${meant} or concat(${url}, '|', r.content ->> 'version') = ${meant})`;
}

function escaped(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '\\$&');
}
