import { AppError } from '#lib/base/errors.ts';
import { parseInterval, withPlus } from '../index/date-range.ts';
import { isFhirId } from '../references.ts';
import { isResourceType } from '../type-ids.ts';
import { NDJSON } from './ndjson.ts';

/** `filters`: searches as they came, `Type?…`. `patients`: their ids. */
export type ExportRequest = {
  types?: string[];
  since?: Date;
  filters: { type: string; query: string }[];
  elements: string[];
  patients?: string[];
};

/** Of each kind in one request: each is work for every resource. */
export const MOST_ASKED = { types: 200, filters: 50, elements: 100, patients: 1000 };
/** In an address a comma between two searches stands before a type; others are of a search. */
const BETWEEN_FILTERS = /,(?=[A-Z][A-Za-z]*\?)/;

/**
 * The parameters of a kick-off request (Bulk Data Access 2.0.0, §3.1), decoded. What is not there is refused by name, and passed over where the
 * caller is `lenient`; what is wrong of the others is refused always.
 */
export function readExportRequest(params: readonly (readonly [string, string])[], lenient: boolean): ExportRequest {
  const request: ExportRequest = { filters: [], elements: [] };
  if (params.filter(([name]) => name === '_outputFormat').length > 1) {
    throw bad('_outputFormat', '_outputFormat may stand only once');
  }
  for (const [name, value] of params) {
    if (name === '_format' || name === '_pretty') continue;
    if (Object.hasOwn(READERS, name)) READERS[name as keyof typeof READERS](request, value);
    else if (!lenient) throw bad(name, `Parameter ${name.slice(0, 80)} is not supported`);
  }
  const outside = request.filters.find(({ type }) => request.types && !request.types.includes(type));
  if (outside) throw bad('_typeFilter', `_typeFilter is about ${outside.type}, which _type does not name`);
  return request;
}

type Reader = (request: ExportRequest, value: string) => void;

const READERS = {
  _outputFormat: (_request, value) => {
    // A `+` that was not percent-encoded arrives as a space.
    if (!NDJSON.has(value.replaceAll(' ', '+'))) throw bad('_outputFormat', '_outputFormat must be ndjson');
  },
  _since: (request, value) => {
    const interval = parseInterval(withPlus(value));
    if (request.since || !interval) throw bad('_since', '_since must be one instant, like 2026-01-31T12:00:00Z');
    request.since = interval.lo;
  },
  _type: (request, value) => {
    const types = value.split(',', MOST_ASKED.types + 1);
    const unknown = types.find((type) => !isResourceType(type));
    if (unknown !== undefined) throw bad('_type', `Unknown resource type in _type: ${String(unknown).slice(0, 80)}`);
    request.types = [...new Set([...(request.types ?? []), ...types])];
    requireAtMost('_type', request.types.length, MOST_ASKED.types);
  },
  _typeFilter: (request, value) => {
    for (const text of value.split(BETWEEN_FILTERS, MOST_ASKED.filters + 1)) {
      const at = text.indexOf('?');
      const type = text.slice(0, Math.max(0, at));
      if (!isResourceType(type)) throw bad('_typeFilter', '_typeFilter takes searches, like Observation?status=final');
      request.filters.push({ type, query: text.slice(at + 1) });
    }
    requireAtMost('_typeFilter', request.filters.length, MOST_ASKED.filters);
  },
  _elements: (request, value) => {
    const names = value.split(',', MOST_ASKED.elements + 1);
    if (!names.every((name) => /^(?:[A-Z][A-Za-z]*\.)?[a-z]\w*$/.test(name))) {
      throw bad('_elements', '_elements must be a list of element names, like Patient.name');
    }
    request.elements.push(...names);
    requireAtMost('_elements', request.elements.length, MOST_ASKED.elements);
  },
  patient: (request, value) => {
    const [type, id, ...more] = value.split('/');
    if (type !== 'Patient' || !isFhirId(id) || more.length > 0) {
      throw bad('patient', 'patient must be a reference, like Patient/[id]');
    }
    request.patients = [...(request.patients ?? []), id];
    requireAtMost('patient', request.patients.length, MOST_ASKED.patients);
  },
} satisfies Record<string, Reader>;

function requireAtMost(name: string, count: number, most: number): void {
  if (count > most) throw bad(name, `${name} takes at most ${most}`);
}

function bad(name: string, text: string): AppError {
  return new AppError('invalid', text, { expression: name.slice(0, 80) });
}
