import { AppError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { type ChangesQuery, readChanges } from '#lib/domain/rest/history/read-changes.ts';
import { type HistoryPage, readHistory } from '#lib/domain/rest/history/read-history.ts';
import { type Interval, parseInterval, withPlus } from '#lib/protocol/fhir/index/date-range.ts';
import { isIgnored, type Part, readPart } from '#lib/protocol/fhir/search/controls.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import { MAX_OFFSET } from '#lib/protocol/max-offset.ts';
import type { RouteInput } from '../door/api-route.ts';
import { fhir, type Reply } from '../door/reply.ts';
import { isLenient, readPartOf } from './general.ts';
import { requireAcceptable } from './negotiation.ts';

const DEFAULT_COUNT = 20;
const MAX_COUNT = 1000;

/** GET [type]/_history */
export async function typeHistory(ctx: Ctx, { request, url, params, extended }: RouteInput<unknown>): Promise<Reply> {
  requireAcceptable(request, url);
  const { rest, part } = split(request, url);
  return fhir(await readChanges(ctx, params.type, readChangesQuery(rest, 'type'), { extended, part }));
}

/** GET _history */
export async function systemHistory(ctx: Ctx, { request, url, extended }: RouteInput<unknown>): Promise<Reply> {
  requireAcceptable(request, url);
  const { rest, part } = split(request, url);
  return fhir(await readChanges(ctx, undefined, readChangesQuery(rest, 'system'), { extended, part }));
}

/** GET [type]/[id]/_history */
export async function instanceHistory(
  ctx: Ctx,
  { request, url, params: { type = '', id = '' }, extended }: RouteInput<unknown>,
): Promise<Reply> {
  requireAcceptable(request, url);
  const { rest, part } = split(request, url);
  return fhir(await readHistory(ctx, type, id, readHistoryPage(rest), { extended, part }));
}

type Params = readonly [name: string, value: string][];

const KNOWN = new Set(['_count', '_offset', '_cursor', '_since', '_at', '_type']);

/** What says how much of each version is wanted, and the rest. What is unknown is passed over for who prefers that. */
function split(request: Request, url: URL): { rest: Params; part: Part } {
  const part = readPartOf(url, { others: [...KNOWN], isLenient: true });
  const isPart = (name: string) => isIgnored(name) || readPart({}, name, 'false');
  const rest = [...url.searchParams].filter(([name]) => !isPart(name));
  return { part, rest: isLenient(request) ? rest.filter(([name]) => KNOWN.has(name)) : rest };
}

/** The parameters of a resource's history. Throws 400 for one that is unknown, stands twice or makes no sense. */
function readHistoryPage(params: Params): HistoryPage {
  const page: HistoryPage = { count: DEFAULT_COUNT };
  for (const [name, value] of onceEach(params)) {
    if (name === '_count') page.count = Math.min(wholeNumber(name, value, 1), MAX_COUNT);
    else if (name === '_offset') page.offset = wholeNumber(name, value, 0);
    else if (name === '_cursor') page.before = wholeNumber(name, value, 1);
    else if (name === '_since') page.since = instant(name, value).lo;
    else if (name === '_at') page.at = instant(name, value);
    else throw unknown(name);
  }
  if (page.offset !== undefined && page.offset > MAX_OFFSET) {
    throw bad('_offset', `_offset must be at most ${MAX_OFFSET}: follow the next link instead`);
  }
  if (page.offset !== undefined && page.before !== undefined) {
    throw bad('_cursor', '_cursor and _offset exclude each other');
  }
  return page;
}

/** Those of the history of a type, or with `_type` of all types. Throws as `readHistoryPage`. */
function readChangesQuery(params: Params, level: 'type' | 'system'): ChangesQuery {
  const query: ChangesQuery = { count: DEFAULT_COUNT };
  for (const [name, value] of onceEach(params)) {
    if (name === '_count') query.count = Math.min(wholeNumber(name, value, 1), MAX_COUNT);
    else if (name === '_cursor') query.cursor = value;
    else if (name === '_since') query.since = instant(name, value).lo;
    else if (name === '_at') query.at = instant(name, value);
    else if (name === '_type' && level === 'system') query.types = types(value);
    else throw unknown(name);
  }
  return query;
}

function onceEach(params: Params): Params {
  const names = new Set<string>();
  for (const [name] of params) {
    if (names.has(name)) throw bad(name, `${name.slice(0, 80)} may stand only once`);
    names.add(name);
  }
  return params;
}

function types(value: string): string[] {
  const names = [...new Set(value.split(','))];
  const wrong = names.find((name): boolean => !isResourceType(name));
  if (wrong !== undefined) throw bad('_type', `Unknown resource type in _type: ${wrong.slice(0, 80)}`);
  return names;
}

function wholeNumber(name: string, value: string, least: number): number {
  if (!/^\d{1,9}$/.test(value) || Number(value) < least)
    throw bad(name, `${name} must be a whole number, ${least} or more`);
  return Number(value);
}

function instant(name: string, value: string): Interval & { text: string } {
  const text = withPlus(value);
  const interval = parseInterval(text);
  if (!interval) throw bad(name, `${name} must be an instant like 2026-01-31T12:00:00Z`);
  return { ...interval, text };
}

function unknown(name: string): AppError {
  return bad(name, `Unknown parameter: ${name.slice(0, 80)}`);
}

function bad(expression: string, text: string): AppError {
  return new AppError('invalid', text, { expression: expression.slice(0, 80) });
}
