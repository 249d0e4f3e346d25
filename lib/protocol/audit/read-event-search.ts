import { type Cursor, parseCursor } from '../cursor.ts';
import { FIRST_INSTANT, LAST_INSTANT } from '../fhir/index/date-range.ts';
import { foldString } from '../fhir/index/normalize.ts';
import { searchParam } from '../fhir/index/search-params.ts';
import { parseReference } from '../fhir/references.ts';
import { CONTROLS, type Controls, defaultControls, isIgnored } from '../fhir/search/controls.ts';
import { lastUpdatedFilter } from '../fhir/search/dates.ts';
import type { InstantRange } from '../fhir/search/ir.ts';
import { badParameter, type SearchValue, splitName, splitValues } from '../fhir/search/values.ts';
import { resourceTypes } from '../fhir/type-ids.ts';
import { actionsWith, type EventCodes } from './event-codes.ts';
import { ENTITY_TYPE, ROLE } from './to-audit-event.ts';

/** Of several values of one parameter any may be so, of several parameters all must be. */
export type EventSearch = {
  controls: Controls;
  /** Names in the log; undefined: any. */
  actions: string[] | undefined;
  /** References. */
  agents: string[][];
  entities: string[][];
  /** Patients who did it, or to whom it was done. */
  patients: string[][];
  outcomes: number[][];
  addresses: string[][];
  /** Memberships of who did it. */
  altIds: string[][];
  /** What the names of agents begin with, folded. */
  names: string[][];
  /** Types of what it was done to. */
  types: string[][];
  /** What a run was given: `1` a patient, `4` another resource. */
  roles: string[][];
  sources: string[][];
  /** Nothing can match. */
  isEmpty: boolean;
  ids: string[][];
  times: InstantRange[][];
  cursor: Cursor | undefined;
  self: [string, string][];
};

type Reader = (search: EventSearch, values: SearchValue[], name: string, baseUrl: string) => void;

const ROLES = ['1', '4'];
const MAX_PARAMETERS = 30;
const MAX_VALUES = 50;

const READERS: Record<string, Reader> = {
  _id: (search, values) => search.ids.push(values.map(plain)),
  _lastUpdated: readTimes,
  action: (search, values) => narrow(search, ({ action }) => values.some((value) => plain(value) === action)),
  address: (search, values) => search.addresses.push(values.map(plain)),
  'agent-name': (search, values) => search.names.push(values.map((value) => foldString(value.join('|')))),
  'agent-role': nothing,
  agent: (search, values, name, baseUrl) => search.agents.push(references(values, name, baseUrl)),
  altid: (search, values) => search.altIds.push(values.flatMap((value) => altIds(value))),
  date: readTimes,
  'entity-name': nothing,
  'entity-role': (search, values) =>
    search.roles.push(ROLES.filter((code) => values.some((value) => matches(value, { system: ROLE, code })))),
  'entity-type': (search, values) =>
    search.types.push(
      resourceTypes().filter((code) => values.some((value) => matches(value, { system: ENTITY_TYPE, code }))),
    ),
  entity: (search, values, name, baseUrl) => search.entities.push(references(values, name, baseUrl)),
  outcome: (search, values) =>
    search.outcomes.push(values.map(plain).map((text) => (/^\d{1,2}$/.test(text) ? Number(text) : -1))),
  policy: nothing,
  site: (search, values, _name, baseUrl) => {
    const code = new URL(baseUrl).origin;
    if (!values.some((value) => matches(value, { code }))) search.isEmpty = true;
  },
  source: (search, values, name, baseUrl) => search.sources.push(references(values, name, baseUrl)),
  patient: (search, values, name, baseUrl) => search.patients.push(references(values, name, baseUrl, ['Patient'])),
  subtype: (search, values) =>
    narrow(search, ({ subtype }) => values.some((value) => subtype.some((coding) => matches(value, coding)))),
  type: (search, values) => narrow(search, ({ type }) => values.some((value) => matches(value, type))),
};

/** What the log can be searched by. */
export const EVENT_PARAMS: readonly string[] = Object.keys(READERS);

/** Newest first, and no other way: so the log is kept. */
const SORTS = new Set(['-date', '-_lastUpdated']);
const SHAPES = new Set(['_count', '_cursor', '_sort', '_total', '_summary', '_elements', '_fields']);

/** Reads a search of AuditEvent. What is not understood or not supported is 400 naming the parameter. */
export function readEventSearch(params: readonly (readonly [string, string])[], baseUrl: string): EventSearch {
  if (params.length > MAX_PARAMETERS)
    throw badParameter('', `A search of the audit log takes at most ${MAX_PARAMETERS} parameters`);
  const search: EventSearch = {
    ...{ controls: defaultControls(), actions: undefined, cursor: undefined, self: [] },
    ...{ agents: [], entities: [], patients: [], outcomes: [], addresses: [], ids: [], times: [] },
    ...{ altIds: [], names: [], types: [], roles: [], sources: [], isEmpty: false },
  };
  const seen = new Set<string>();
  for (const [name, value] of params) {
    if (isIgnored(name)) continue;
    const control = CONTROLS.get(name);
    if (control) {
      if (!SHAPES.has(name)) throw unsupported(name);
      if (!control.repeats && seen.has(name)) throw badParameter(name, `${name} may stand only once`);
      seen.add(name);
      search.self.push([name, readControl(search, name, value)]);
    } else {
      readFilter(search, name, value, baseUrl);
      search.self.push([name, value]);
    }
  }
  return search;
}

function readControl(search: EventSearch, name: string, value: string): string {
  if (name === '_sort' && !SORTS.has(value)) throw badParameter(name, 'AuditEvents come newest first: _sort=-date');
  if (name === '_cursor') {
    search.cursor = parseCursor(value);
    if (!search.cursor) throw badParameter(name, '_cursor is not one of ours');
  }
  return CONTROLS.get(name)!.read(search.controls, value, { type: 'AuditEvent', projectId: '' });
}

function readFilter(search: EventSearch, name: string, value: string, baseUrl: string): void {
  const [code, modifier] = splitName(name);
  const reader = Object.hasOwn(READERS, code) ? READERS[code] : undefined;
  if (!reader)
    throw searchParam('AuditEvent', code) ? unsupported(name) : badParameter(name, `Unknown search parameter: ${code}`);
  if (modifier !== undefined) throw unsupported(name);
  const values = splitValues(name, value);
  if (values.length > MAX_VALUES) throw badParameter(name, `${name} takes at most ${MAX_VALUES} values`);
  reader(search, values, name, baseUrl);
}

function unsupported(name: string): Error {
  return badParameter(name, `Search parameter ${name} is not supported for AuditEvent`);
}

function narrow(search: EventSearch, asked: (codes: EventCodes) => boolean): void {
  const names = actionsWith(asked);
  search.actions = search.actions ? search.actions.filter((name) => names.includes(name)) : names;
}

/** Of an element that no event of ours has (`toAuditEvent`). */
function nothing(search: EventSearch): void {
  search.isEmpty = true;
}

function altIds(value: SearchValue): string[] {
  const [, id] = /^ProjectMembership\/(.+)$/.exec(plain(value)) ?? [];
  return id !== undefined && matches(value, { code: plain(value) }) ? [id] : [];
}

function readTimes(search: EventSearch, values: SearchValue[], name: string): void {
  const filter = lastUpdatedFilter(values, name);
  // Before the first instant or after the last there is nothing.
  search.times.push(filter.op === 'lastUpdated' ? filter.ranges : [{ from: LAST_INSTANT, to: FIRST_INSTANT }]);
}

/** `code`, `system|code`, `|code`, `system|`. */
function matches(value: SearchValue, { system, code }: { system?: string; code?: string }): boolean {
  if (value.length === 1) return value[0] === code;
  const [wanted, ...rest] = value;
  return (
    (wanted === '' || wanted === system) &&
    (rest.join('|') === '' ? wanted !== '' : rest.join('|') === code) &&
    (wanted !== '' || !system)
  );
}

/** A code of a set that has no other. */
function plain(value: SearchValue): string {
  return value.at(-1) ?? '';
}

/** `Type/id`, the same below our own base, or an id alone: that of any of the types. */
function references(
  values: SearchValue[],
  name: string,
  baseUrl: string,
  types: readonly string[] = resourceTypes(),
): string[] {
  return values.flatMap((value) => {
    const text = value.join('|');
    const parsed = parseReference(text, baseUrl);
    if (parsed?.kind === 'local') return types.includes(parsed.type) ? [`${parsed.type}/${parsed.id}`] : [];
    if (parsed?.kind === 'uri') return [];
    if (!/^[A-Za-z0-9\-.]{1,64}$/.test(text))
      throw badParameter(name, `${name} must be a reference like Practitioner/123`);
    return types.map((type) => `${type}/${text}`);
  });
}
