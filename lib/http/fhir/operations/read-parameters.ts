import { AppError } from '#lib/base/errors.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import { numberOf } from '#lib/protocol/json/json.ts';
import { readJson } from '../../door/read-body.ts';
import { requireAcceptable } from '../negotiation.ts';
import type { OperationInput, Parameter } from './operation.ts';

export type Coding = { system?: string; version?: string; code?: string; display?: string };
type Value<T extends Parameter['type']> = T extends 'boolean'
  ? boolean
  : T extends 'integer'
    ? number
    : T extends 'Coding'
      ? Coding
      : T extends 'CodeableConcept'
        ? { coding: Coding[] }
        : string;
type Taken = Record<string, Parameter>;
type Given<P extends Taken> = {
  [N in keyof P]?: P[N] extends { max: number } ? Value<P[N]['type']>[] : Value<P[N]['type']>;
};

/** Bytes of Parameters. */
const MAX_BODY = 256 * 1024;
const MOST = 200;
const MAX_TEXT = 4000;
const MAX_COUNT = 1_000_000_000;
const TEXTS = ['Uri', 'Canonical', 'Url', 'Code', 'String', 'Id', 'Date', 'DateTime', 'Instant'];
const KEYS: Partial<Record<Parameter['type'], readonly string[]>> = {
  integer: ['valueInteger', 'valuePositiveInt', 'valueUnsignedInt'],
  boolean: ['valueBoolean'],
  Coding: ['valueCoding'],
  CodeableConcept: ['valueCodeableConcept'],
  Meta: ['valueMeta'],
};
const TEXT_KEYS = TEXTS.map((type) => `value${type}`);

/**
 * The parameters of an operation, in the address or as Parameters (R4 operations §3.2.0.2). Throws 400 for one that its definition has not, that is not
 * what it should be, or that stands too often, naming it.
 */
export async function readParameters<P extends Taken>({ request, url }: OperationInput, taken: P): Promise<Given<P>> {
  requireAcceptable(request, url);
  const given: Record<string, unknown> = {};
  for (const [name, value] of [...fromAddress(url, taken), ...(await fromBody(request, taken))]) {
    const { max } = taken[name] ?? {};
    if (max === undefined && name in given) throw wrong(name, `${name} may stand only once`);
    const all = max === undefined ? value : [...((given[name] as unknown[] | undefined) ?? []), value];
    if (max !== undefined && (all as unknown[]).length > max)
      throw wrong(name, `${name} may stand at most ${max} times`);
    given[name] = all;
  }
  return given as Given<P>;
}

/** As readParameters, of an operation that changes something or is told secrets: in the body alone. */
export function readBody<P extends Taken>(input: OperationInput, taken: P): Promise<Given<P>> {
  refuseAddress(input.url);
  return readParameters(input, taken);
}

/** Throws 400 for what stands in the address of an operation that reads its body alone. */
export function refuseAddress(url: URL): void {
  const [name] = [...url.searchParams.keys()].filter((each) => !ABOUT_ANSWER.has(each));
  if (name !== undefined) throw wrong(name.slice(0, 80), `${name.slice(0, 80)} is not read from the address`);
}

/** R4 http §3.1.0.1.11: of every request. */
const ABOUT_ANSWER = new Set(['_format', '_pretty']);

function fromAddress(url: URL, taken: Taken): [string, unknown][] {
  const all = [...url.searchParams].filter(([name]) => !ABOUT_ANSWER.has(name));
  if (all.length > MOST) throw wrong('parameter', `There are more than ${MOST} parameters`);
  return all.map(([name, text]) => {
    const type = typeOf(name, taken);
    if (type === 'Coding' || type === 'CodeableConcept' || type === 'Meta')
      throw wrong(name, `${name} stands in Parameters, by POST`);
    if (type === 'integer') return [name, toCount(name, /^\d{1,10}$/.test(text) ? Number(text) : undefined)];
    if (type === 'boolean') return [name, toFlag(name, text === 'true' || (text === 'false' ? false : text))];
    return [name, toText(name, text)];
  });
}

async function fromBody(request: Request, taken: Taken): Promise<[string, unknown][]> {
  const body = request.method === 'POST' ? await readJson(request, MAX_BODY) : undefined;
  // The peer’s client posts {} where all stands in the address.
  if (body === undefined || isNothing(body)) return [];
  const { resourceType, parameter = [] } = (body ?? {}) as { resourceType?: unknown; parameter?: unknown };
  if (resourceType !== 'Parameters' || !Array.isArray(parameter) || parameter.length > MOST)
    throw wrong('Parameters.parameter', 'Send the parameters as Parameters');
  return parameter.map((item: Record<string, unknown> | null, at) => {
    const name = item?.name;
    if (typeof name !== 'string') throw wrong(`Parameters.parameter[${at}]`, 'A parameter needs a name');
    const type = typeOf(name, taken);
    const value = (KEYS[type] ?? TEXT_KEYS).map((key) => item?.[key]).find((one) => one !== undefined);
    return [name, toValue(type, name, value)];
  });
}

function isNothing(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;
}

function typeOf(name: string, taken: Taken): Parameter['type'] {
  const parameter = Object.hasOwn(taken, name) ? taken[name] : undefined;
  if (!parameter) throw wrong(name.slice(0, 80), `The parameter ${name.slice(0, 80)} is not supported here`);
  return parameter.type;
}

function toValue(type: Parameter['type'], name: string, value: unknown): unknown {
  if (type === 'integer') return toCount(name, numberOf(value));
  if (type === 'boolean') return toFlag(name, value);
  if (type === 'Coding') return toCoding(name, value);
  // Read by whoever asks for it (labels.ts).
  if (type === 'Meta') return value ?? null;
  if (type !== 'CodeableConcept') return toText(name, value);
  const { coding } = (value ?? {}) as { coding?: unknown };
  if (!Array.isArray(coding) || coding.length === 0 || coding.length > MOST)
    throw wrong(name, `${name} needs valueCodeableConcept with codings`);
  return { coding: coding.map((one) => toCoding(name, one)) };
}

function toText(name: string, value: unknown): string {
  // What PostgreSQL's text cannot hold is in no code either.
  if (typeof value === 'string' && value.length <= MAX_TEXT && value.isWellFormed() && !value.includes('\0'))
    return value;
  throw wrong(name, `${name} must be text of ${MAX_TEXT} characters at most`);
}

function toCount(name: string, value: number | undefined): number {
  if (value !== undefined && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT) return value;
  throw wrong(name, `${name} must be a whole number, from 0 to ${MAX_COUNT}`);
}

function toFlag(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw wrong(name, `${name} must be true or false`);
}

function toCoding(name: string, value: unknown): Coding {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(name, `${name} needs a Coding`);
  const { system, version, code, display } = value as Record<string, unknown>;
  const texts = Object.entries({ system, version, code, display }).filter(([, text]) => text !== undefined);
  return Object.fromEntries(texts.map(([key, text]) => [key, toText(`${name}.${key}`, text)]));
}

/** The id of the instance, 404 for what is no id. */
export function instanceId(id: string | undefined): string | undefined {
  if (id === undefined || isFhirId(id)) return id;
  throw new AppError('not-found', 'Not found');
}

export function wrong(expression: string, text: string): AppError {
  return new AppError('invalid', text, { expression });
}

/** Parameters as an answer: what is undefined is left out. */
export function toParameters(values: readonly (readonly [name: string, key: string, value: unknown])[]): object {
  const parameter = values
    .filter(([, , value]) => value !== undefined && value !== null)
    .map(([name, key, value]) => ({ name, [key]: value }));
  return { resourceType: 'Parameters', parameter };
}
