import { AppError } from '#lib/base/errors.ts';
import { type EverythingPage, readEverything } from '#lib/domain/rest/search/read-everything.ts';
import { parseInterval, withPlus } from '#lib/protocol/fhir/index/date-range.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import { readJson } from '../door/read-body.ts';
import { fhir } from '../door/reply.ts';
import { requireAcceptable } from './negotiation.ts';
import type { Operation, OperationInput } from './operation.ts';

/** Who wants all of it at once gets as much as one answer holds. */
const MAX_COUNT = 1000;
const MAX_TYPES = 200;
/** Bytes of Parameters. */
const MAX_BODY = 64 * 1024;

/** `Patient/[id]/$everything` (R4 Patient-everything). */
export const patientEverything: Operation = {
  definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything',
  methods: ['GET', 'POST'],
  run: (input) => everything(input, ['start', 'end']),
};

/** `Encounter/[id]/$everything` (R4 Encounter-everything), which knows no dates of care. */
export const encounterEverything: Operation = {
  definition: 'http://hl7.org/fhir/OperationDefinition/Encounter-everything',
  methods: ['GET', 'POST'],
  run: (input) => everything(input, []),
};

async function everything({ ctx, type, id = '', request, url, extended }: OperationInput, dates: readonly string[]) {
  requireAcceptable(request, url);
  const inBody = request.method === 'POST' ? readParameters(await readBody(request)) : [];
  const page = readPage([...url.searchParams, ...inBody], dates);
  return fhir(await readEverything(ctx, { type, id }, page, { extended }));
}

function readBody(request: Request): Promise<unknown> {
  return request.body ? readJson(request, MAX_BODY) : Promise.resolve(undefined);
}

function readPage(params: [string, string][], dates: readonly string[]): EverythingPage {
  const page: EverythingPage = { count: MAX_COUNT, self: [] };
  const seen = new Set<string>();
  for (const [name, value] of params) {
    if (name === '_format' || name === '_pretty') continue;
    if (seen.has(name) && name !== '_type') throw bad(name, `${name} may stand only once`);
    seen.add(name);
    if (name === '_count') page.count = readCount(value);
    else if (name === '_cursor') page.cursor = value;
    else if (name === '_since') page.since = instant(name, value).lo;
    else if (name === '_type') page.types = [...(page.types ?? []), ...typesOf(value)];
    else if (name === 'start' && dates.includes(name)) page.start = instant(name, value).lo;
    else if (name === 'end' && dates.includes(name)) page.end = instant(name, value).hi;
    else throw bad(name.slice(0, 80), `Unknown parameter: ${name.slice(0, 80)}`);
    page.self.push([name, name === '_count' ? String(page.count) : value]);
  }
  if ((page.types?.length ?? 0) > MAX_TYPES) throw bad('_type', `_type takes at most ${MAX_TYPES} types`);
  return page;
}

function readCount(value: string): number {
  if (!/^\d{1,9}$/.test(value) || Number(value) === 0) throw bad('_count', '_count must be a whole number, 1 or more');
  return Math.min(Number(value), MAX_COUNT);
}

function typesOf(value: string): string[] {
  return value.split(',', MAX_TYPES + 1).map((type) => {
    if (!isResourceType(type)) throw bad('_type', `Unknown resource type in _type: ${String(type).slice(0, 80)}`);
    return type;
  });
}

function instant(name: string, value: string): { lo: Date; hi: Date } {
  const interval = parseInterval(withPlus(value));
  if (!interval) throw bad(name, `${name} must be a date, or an instant like 2026-01-31T12:00:00Z`);
  return interval;
}

const VALUES = ['valueDate', 'valueInstant', 'valueDateTime', 'valueCode', 'valueInteger', 'valueString'];
const MOST_PARAMETERS = 100;

/** R4 operations §3.2.0.2: simple parameters, as Parameters. */
function readParameters(body: unknown): [string, string][] {
  if (body === undefined) return [];
  const { resourceType, parameter = [] } = (body ?? {}) as { resourceType?: unknown; parameter?: unknown };
  if (resourceType !== 'Parameters' || !Array.isArray(parameter) || parameter.length > MOST_PARAMETERS) {
    throw bad('Parameters.parameter', 'Send the parameters in the address, or as Parameters');
  }
  return parameter.map((item: Record<string, unknown> | null, at): [string, string] => {
    const value = VALUES.map((name) => item?.[name]).find((one) => one !== undefined);
    if (typeof item?.name === 'string' && value !== undefined) return [item.name, String(value)];
    throw bad(`Parameters.parameter[${at}]`, 'A parameter needs a name and a simple value');
  });
}

function bad(expression: string, text: string): AppError {
  return new AppError('invalid', text, { expression });
}
