import { type SQL, sql } from 'drizzle-orm';
import { toTextArray } from './text-array.ts';

/**
 * Whether a message of HL7 v2 names a patient by one of these identifiers: as a whole component of a PID (but its number) or MRG segment. `text`
 * and `values` as SQL; of what is no message, false.
 */
export function namedInHl7(text: SQL, values: readonly string[]): SQL {
  const start = sql`ltrim(${text}, E' \\t\\r\\n\\ufeff')`;
  // Field, component, repetition, escape and subcomponent, as this message has them.
  const parts = sql`regexp_split_to_array(translate(s.segment, substr(${start}, 4, 5), '|||||'), '\\s*\\|\\s*')`;
  const fields = sql`case when left(s.segment, 3) = 'PID' then (${parts})[3:] else (${parts})[2:] end`;
  return sql`(${start} like 'MSH%' and exists (
    select from regexp_split_to_table(${text}, '[\\r\\n]+') as s(segment)
    where left(s.segment, 3) in ('PID', 'MRG') and ${fields} && ${toTextArray(values)}::text[]))`;
}

/** The same of a message in a text of something else, as the standard's own separators have it: in any of its segments. */
export function namedWithin(text: SQL, values: readonly string[]): SQL {
  const parts = toTextArray(values.flatMap(inMessages));
  return sql`(position('MSH' in ${text}) > 0 and exists (select from unnest(${parts}::text[]) as n(part) where position(n.part in ${text}) > 0))`;
}

/** As a component, or a field, of a message that stands in JSON. */
function inMessages(identifier: string): string[] {
  const text = JSON.stringify(identifier).slice(1, -1);
  return ['|', '~', '| ', '~ '].flatMap((before) =>
    ['|', '^', '~', '&', '\\', '"', ' '].map((after) => `${before}${text}${after}`),
  );
}
