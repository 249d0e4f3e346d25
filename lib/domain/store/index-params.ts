import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { Extracted } from '#lib/protocol/fhir/index/extract.ts';

/** The parameters $9 to $15 of the store's statements: arrays as PostgreSQL literals, since the driver knows no array types. */
export function toIndexParams({ tokens, strings, dates, sortDate, sortEnd }: Extracted): (string | null)[] {
  return [
    `{${[...new Set(tokens)].join(',')}}`,
    `{${sortDate ? [sortDate.toISOString(), sortEnd?.toISOString() ?? 'infinity'] : 'NULL,NULL'}}`,
    `{${strings.map(({ param }) => param).join(',')}}`,
    toTextArray(strings.map(({ value }) => value)),
    `{${dates.map(({ param }) => param).join(',')}}`,
    `{${dates.map(({ lo }) => lo.toISOString()).join(',')}}`,
    `{${dates.map(({ hi }) => hi.toISOString()).join(',')}}`,
  ];
}
