import { MAX_OFFSET } from '../../max-offset.ts';
import { type SearchParam, searchParam } from '../index/search-params.ts';
import { isResourceType } from '../type-ids.ts';
import { badParameter } from './values.ts';

export type Sort = { param: SearchParam; descending: boolean };

/** `_include=source:param:target`; for _revinclude, `source` is the type that refers to the matches. */
export type Include = { source: string; param: SearchParam; target?: string };

/** Everything of a search that is not a filter. */
export type Controls = {
  /** Page size; 0 = only count. */
  count: number;
  offset: number;
  /** Where the page before ended, as the link to the next one says it. */
  cursor?: string;
  sort: Sort[];
  total: 'none' | 'estimate' | 'accurate' | undefined;
  summary?: 'true' | 'text' | 'data' | 'count' | 'false';
  elements?: string[];
  include: Include[];
  revinclude: Include[];
};

/** `read` returns the value as it was understood. */
type Control = { repeats?: boolean; read: (controls: Controls, value: string, type: string) => string };

const DEFAULT_COUNT = 20;
const MAX_COUNT = 1000;
/** Characters. */
const MAX_CURSOR = 16 * 1024;
/** Of what an answer may be asked for at once: each is work for every row, or a search of its own. */
const MOST = { sort: 8, include: 16, elements: 100 };
const TOTALS = ['none', 'estimate', 'accurate'] as const;
const SUMMARIES = ['true', 'text', 'data', 'count', 'false'] as const;
const IGNORED = new Set(['_format', '_pretty']);

/** The parameters that shape the answer and not the match. */
export const CONTROLS: ReadonlyMap<string, Control> = new Map<string, Control>([
  ['_count', { read: readCount }],
  ['_offset', { read: readOffset }],
  ['_cursor', { read: readCursor }],
  ['_sort', { repeats: true, read: readSort }],
  ['_total', { read: (controls, value) => (controls.total = oneOf('_total', value, TOTALS)) }],
  ['_summary', { read: (controls, value) => (controls.summary = oneOf('_summary', value, SUMMARIES)) }],
  ['_elements', { repeats: true, read: (controls, value) => readElements(controls, '_elements', value) }],
  ['_fields', { repeats: true, read: (controls, value) => readElements(controls, '_fields', value) }],
  ['_include', { repeats: true, read: readInclude }],
  ['_revinclude', { repeats: true, read: readRevinclude }],
]);

/** Parameters that are somebody else's business (content negotiation). */
export function isIgnored(name: string): boolean {
  return IGNORED.has(name);
}

export function defaultControls(): Controls {
  return { count: DEFAULT_COUNT, offset: 0, sort: [], total: undefined, include: [], revinclude: [] };
}

function readCount(controls: Controls, value: string): string {
  controls.count = Math.min(wholeNumber('_count', value), MAX_COUNT);
  return String(controls.count);
}

function readOffset(controls: Controls, value: string): string {
  controls.offset = wholeNumber('_offset', value);
  if (controls.offset > MAX_OFFSET) {
    throw badParameter('_offset', `_offset must be at most ${MAX_OFFSET}: follow the next link instead`);
  }
  return String(controls.offset);
}

function readCursor(controls: Controls, value: string): string {
  if (value.length > MAX_CURSOR) throw badParameter('_cursor', '_cursor is not one of ours');
  controls.cursor = value;
  return value;
}

function wholeNumber(name: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw badParameter(name, `${name} must be a whole number, 0 or more`);
  return Number(value);
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((item) => item === value);
  if (found === undefined) throw badParameter(name, `${name} must be one of ${allowed.join(', ')}`);
  return found;
}

function readSort(controls: Controls, value: string, type: string): string {
  const keys = value.split(',', MOST.sort + 1);
  requireAtMost('_sort', controls.sort.length + keys.length, MOST.sort, 'keys');
  for (const key of keys) {
    const sort = sortOf(key, type);
    if (controls.sort.some(({ param }) => param.id === sort.param.id)) {
      throw badParameter('_sort', `_sort names ${sort.param.code} twice`);
    }
    controls.sort.push(sort);
  }
  return value;
}

function requireAtMost(name: string, count: number, most: number, what: string): void {
  if (count > most) throw badParameter(name, `${name} takes at most ${most} ${what}`);
}

/** A place has no order, nor what consists of parts. */
const UNSORTABLE = new Set(['composite', 'special']);

function sortOf(item: string, type: string): Sort {
  const descending = item.startsWith('-');
  const code = descending ? item.slice(1) : item;
  const param = searchParam(type, code);
  if (!param) throw badParameter('_sort', `Unknown sort parameter: ${code}`);
  const sortable = param.supported && !UNSORTABLE.has(param.type) && code !== '_compartment';
  if (!sortable) throw badParameter('_sort', `Sorting by ${code} is not supported`);
  return { param, descending };
}

function readElements(controls: Controls, name: string, value: string): string {
  const names = value.split(',', MOST.elements + 1);
  requireAtMost(name, (controls.elements?.length ?? 0) + names.length, MOST.elements, 'names');
  if (!names.every((item) => /^[A-Za-z_][\w.]*$/.test(item))) {
    throw badParameter(name, `${name} must be a list of element names`);
  }
  controls.elements = [...new Set([...(controls.elements ?? []), ...names])];
  return value;
}

function readInclude(controls: Controls, value: string, type: string): string {
  requireAtMost('_include', controls.include.length + 1, MOST.include, 'parameters');
  const include = includeOf('_include', value);
  if (include.source !== type) throw badParameter('_include', `_include must start with ${type}: here`);
  controls.include.push(include);
  return value;
}

function readRevinclude(controls: Controls, value: string, type: string): string {
  requireAtMost('_revinclude', controls.revinclude.length + 1, MOST.include, 'parameters');
  const include = includeOf('_revinclude', value);
  const { targets, code } = include.param;
  const reaches = (targets.length === 0 || targets.includes(type)) && (include.target ?? type) === type;
  if (!reaches) throw badParameter('_revinclude', `${include.source}:${code} does not refer to ${type}`);
  controls.revinclude.push(include);
  return value;
}

function includeOf(name: string, value: string): Include {
  const [source = '', code = '', target, ...rest] = value.split(':');
  const param = isResourceType(source) ? searchParam(source, code) : undefined;
  if (param?.type !== 'reference' || rest.length > 0) {
    throw badParameter(name, `${name} must be Type:parameter or Type:parameter:TargetType, of a reference parameter`);
  }
  if (!param.supported) throw badParameter(name, `${name} of ${source}:${code} is not supported`);
  if (target === undefined) return { source, param };
  if (!isResourceType(target)) throw badParameter(name, `Unknown resource type in ${name}: ${target}`);
  return { source, param, target };
}
