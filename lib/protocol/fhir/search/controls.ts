import { MAX_OFFSET } from '../../max-offset.ts';
import { isLink } from '../index/reference-tokens.ts';
import { type SearchParam, searchParam, searchParamsOf } from '../index/search-params.ts';
import { isResourceType } from '../type-ids.ts';
import { badParameter, requireBuilt } from './values.ts';

export type Sort = { param: SearchParam; descending: boolean };

/**
 * `_include=source:param:target`; for _revinclude, `source` is the type that refers to the matches. `iterate`: also of what comes along.
 * `wild`: `*` stands for it.
 */
export type Include = { source: string; param: SearchParam; target?: string; iterate?: true; wild?: true };

/** What asks for less than whole resources (R4 search §3.1.1.5.8, .9). */
export type Part = {
  summary?: 'true' | 'text' | 'data' | 'count' | 'false';
  elements?: string[];
};

/** Everything of a search that is not a filter. */
export type Controls = Part & {
  /** Page size; 0 = only count. */
  count: number;
  offset: number;
  /** Where the page before ended, as the link to the next one says it. */
  cursor?: string;
  sort: Sort[];
  total: 'none' | 'estimate' | 'accurate' | undefined;
  include: Include[];
  revinclude: Include[];
  /** `_revinclude=*`: all that refers to the matches. */
  revincludeAll?: true;
};

/** `read` returns the value as it was understood. */
type Control = { repeats?: boolean; read: (controls: Controls, value: string, of: Searched) => string };
/** What is searched, and whose own parameters are known. */
type Searched = { type: string; projectId: string };

const DEFAULT_COUNT = 20;
const MAX_COUNT = 1000;
/** Characters. */
const MAX_CURSOR = 16 * 1024;
/** Of what an answer may be asked for at once: each is work for every row, or a search of its own. */
const MOST = { sort: 8, include: 16, expanded: 200, elements: 100 };
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
  ['_include:iterate', { repeats: true, read: readIterated('include') }],
  ['_revinclude:iterate', { repeats: true, read: readIterated('revinclude') }],
]);

/** Parameters that are somebody else's business (content negotiation). */
export function isIgnored(name: string): boolean {
  return IGNORED.has(name);
}

export function defaultControls(): Controls {
  return { count: DEFAULT_COUNT, offset: 0, sort: [], total: undefined, include: [], revinclude: [] };
}

/** Reads one of those that ask for less. Returns whether it is one; throws 400 for what makes no sense. */
export function readPart(part: Part, name: string, value: string): boolean {
  if (name === '_summary') part.summary = oneOf(name, value, SUMMARIES);
  else if (name === '_elements' || name === '_fields') readElements(part, name, value);
  else return false;
  return true;
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

function readSort(controls: Controls, value: string, of: Searched): string {
  const keys = value.split(',', MOST.sort + 1);
  requireAtMost('_sort', controls.sort.length + keys.length, MOST.sort, 'keys');
  for (const key of keys) {
    const sort = sortOf(key, of);
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

function sortOf(item: string, { type, projectId }: Searched): Sort {
  const descending = item.startsWith('-');
  const code = descending ? item.slice(1) : item;
  const param = searchParam(type, code, projectId);
  if (!param) throw badParameter('_sort', `Unknown sort parameter: ${code}`);
  const sortable =
    param.supported && !param.heard && !param.inside && !UNSORTABLE.has(param.type) && code !== '_compartment';
  if (!sortable) throw badParameter('_sort', `Sorting by ${code} is not supported`);
  requireBuilt(param);
  return { param, descending };
}

function readElements(controls: Part, name: string, value: string): string {
  const names = value.split(',', MOST.elements + 1);
  requireAtMost(name, (controls.elements?.length ?? 0) + names.length, MOST.elements, 'names');
  if (!names.every((item) => /^[A-Za-z_][\w.]*$/.test(item))) {
    throw badParameter(name, `${name} must be a list of element names`);
  }
  controls.elements = [...new Set([...(controls.elements ?? []), ...names])];
  return value;
}

function readInclude(controls: Controls, value: string, { type, projectId }: Searched): string {
  const includes = includesOf('_include', value === '*' ? `${type}:*` : value, projectId);
  if (includes[0]?.source !== type) throw badParameter('_include', `_include must start with ${type}: here`);
  add(controls, 'include', includes);
  return value;
}

function readRevinclude(controls: Controls, value: string, { type, projectId }: Searched): string {
  if (value === '*') {
    controls.revincludeAll = true;
    return value;
  }
  const all = includesOf('_revinclude', value, projectId);
  const includes = all.filter((include) => mayReferTo(include, type));
  if (includes.length === 0) throw badParameter('_revinclude', `${value.slice(0, 200)} does not refer to ${type}`);
  add(controls, 'revinclude', includes);
  return value;
}

/** Of what comes along, too (R4 search §3.1.1.5.2). Whose references they are is then of any type. */
function readIterated(kind: 'include' | 'revinclude') {
  return (controls: Controls, value: string, { projectId }: Searched): string => {
    if (value === '*') throw badParameter(`_${kind}:iterate`, `_${kind}:iterate takes Type:parameter or Type:*`);
    add(
      controls,
      kind,
      includesOf(`_${kind}:iterate`, value, projectId).map((include) => ({ ...include, iterate: true as const })),
    );
    return value;
  };
}

/** `Type:*` counts as one. */
function add(controls: Controls, kind: 'include' | 'revinclude', includes: Include[]): void {
  controls[kind].push(...includes);
  const asked = new Set(controls[kind].map((include, at) => (include.wild ? `${include.source}:*` : at)));
  requireAtMost(`_${kind}`, asked.size, MOST.include, 'parameters');
  requireAtMost(`_${kind}`, controls[kind].length, MOST.expanded, 'references that * stands for');
}

/** Whether such references may lead to this type. */
export function mayReferTo({ param: { targets }, target }: Include, type: string): boolean {
  return (targets.length === 0 || targets.includes(type)) && (target ?? type) === type;
}

function includesOf(name: string, value: string, projectId: string): Include[] {
  const [source = '', code = '', target, ...rest] = value.split(':');
  if (code !== '*' || !isResourceType(source) || rest.length > 0) return [includeOf(name, value, projectId)];
  if (target !== undefined && !isResourceType(target)) {
    throw badParameter(name, `Unknown resource type in ${name}: ${target}`);
  }
  const params = searchParamsOf(source, projectId).filter(isLink);
  if (params.length === 0) throw badParameter(name, `${source} has no references to follow`);
  for (const param of params) requireBuilt(param);
  return params.map((param) => ({ source, param, ...(target && { target }), wild: true as const }));
}

function includeOf(name: string, value: string, projectId: string): Include {
  const [source = '', code = '', target, ...rest] = value.split(':');
  const param = isResourceType(source) ? searchParam(source, code, projectId) : undefined;
  if (param?.type !== 'reference' || rest.length > 0) {
    throw badParameter(name, `${name} must be Type:parameter or Type:parameter:TargetType, of a reference parameter`);
  }
  if (!param.supported || param.inside) throw badParameter(name, `${name} of ${source}:${code} is not supported`);
  requireBuilt(param);
  if (target === undefined) return { source, param };
  if (!isResourceType(target)) throw badParameter(name, `Unknown resource type in ${name}: ${target}`);
  return { source, param, target };
}
