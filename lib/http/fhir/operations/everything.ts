import { type EverythingPage, readEverything } from '#lib/domain/rest/search/read-everything.ts';
import { parseInterval, withPlus } from '#lib/protocol/fhir/index/date-range.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import { fhir, type Reply } from '../../door/reply.ts';
import type { OperationInput } from './operation.ts';
import { wrong } from './read-parameters.ts';

/** Who wants all of it at once gets as much as one answer holds. */
const MAX_COUNT = 1000;
const MAX_TYPES = 200;

/** Of everything of whatever. */
export const OF_A_COMPARTMENT = {
  _since: { type: 'instant' },
  _type: { type: 'code', max: MAX_TYPES, documentation: 'One or several, with commas' },
  _count: { type: 'integer', documentation: `Of a page, at most ${MAX_COUNT}` },
  _cursor: { type: 'string', documentation: 'Of the next page, as its link says' },
} as const;

type Given = { _since?: string; _type?: string[]; _count?: number; _cursor?: string; start?: string; end?: string };

export async function everything({ ctx, type, id = '', extended }: OperationInput, given: Given): Promise<Reply> {
  return fhir(await readEverything(ctx, { type, id }, readPage(given), { extended }));
}

function readPage({ _since: since, _type: type, _count: asked, _cursor: cursor, start, end }: Given): EverythingPage {
  if (asked === 0) throw wrong('_count', '_count must be a whole number, 1 or more');
  const count = Math.min(asked ?? MAX_COUNT, MAX_COUNT);
  const self = Object.entries({
    start,
    end,
    _since: since,
    ...(asked !== undefined && { _count: String(count) }),
    cursor,
  });
  return {
    count,
    cursor,
    since: since === undefined ? undefined : instant('_since', since).lo,
    types: type && typesOf(type),
    start: start === undefined ? undefined : instant('start', start).lo,
    end: end === undefined ? undefined : instant('end', end).hi,
    self: [
      ...self.flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name === 'cursor' ? '_cursor' : name, value]],
      ),
      ...(type ?? []).map((value): [string, string] => ['_type', value]),
    ],
  };
}

function typesOf(values: readonly string[]): string[] {
  const types = values.flatMap((value) => value.split(',', MAX_TYPES + 1));
  if (types.length > MAX_TYPES) throw wrong('_type', `_type takes at most ${MAX_TYPES} types`);
  const unknown = types.find((type): boolean => !isResourceType(type));
  if (unknown !== undefined) throw wrong('_type', `Unknown resource type in _type: ${unknown.slice(0, 80)}`);
  return types;
}

function instant(name: string, value: string): { lo: Date; hi: Date } {
  const interval = parseInterval(withPlus(value));
  if (!interval) throw wrong(name, `${name} must be a date, or an instant like 2026-01-31T12:00:00Z`);
  return interval;
}
