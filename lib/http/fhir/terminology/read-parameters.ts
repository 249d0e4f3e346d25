import { AppError } from '#lib/base/errors.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import { numberOf } from '#lib/protocol/json/json.ts';
import { readJson } from '../../door/read-body.ts';
import { requireAcceptable } from '../negotiation.ts';
import type { OperationInput } from '../operation.ts';

/** What a parameter is, as `value[x]` names it; `list`: text that may stand several times. */
type Kind = 'text' | 'list' | 'count' | 'flag' | 'Coding' | 'CodeableConcept';
export type Coding = { system?: string; version?: string; code?: string; display?: string };
type Values = {
  text: string;
  list: string[];
  count: number;
  flag: boolean;
  Coding: Coding;
  CodeableConcept: { coding: Coding[] };
};
type Given<S extends Record<string, Kind>> = { [N in keyof S]?: Values[S[N]] };

/** Bytes of Parameters. */
const MAX_BODY = 256 * 1024;
const MOST = 100;
const MAX_TEXT = 2000;
const MAX_COUNT = 1_000_000;
const TEXTS = ['valueUri', 'valueCanonical', 'valueUrl', 'valueCode', 'valueString', 'valueId'];
const KEYS: Record<Kind, readonly string[]> = {
  text: TEXTS,
  list: TEXTS,
  count: ['valueInteger', 'valuePositiveInt', 'valueUnsignedInt'],
  flag: ['valueBoolean'],
  Coding: ['valueCoding'],
  CodeableConcept: ['valueCodeableConcept'],
};

/**
 * The parameters of an operation, in the address or as Parameters (R4 operations §3.2.0.2). Throws 400 for one that is not in `spec`, that is not
 * what it should be, or that stands twice, naming it.
 */
export async function readParameters<S extends Record<string, Kind>>(
  { request, url }: OperationInput,
  spec: S,
): Promise<Given<S>> {
  requireAcceptable(request, url);
  const inBody =
    request.method === 'POST' && request.body !== null ? fromBody(await readJson(request, MAX_BODY), spec) : [];
  const given: Record<string, unknown> = {};
  for (const [name, value] of [...fromAddress(url, spec), ...inBody]) {
    if (spec[name] === 'list') given[name] = [...((given[name] as string[] | undefined) ?? []), value];
    else if (name in given) throw wrong(name, `${name} may stand only once`);
    else given[name] = value;
  }
  return given as Given<S>;
}

function fromAddress(url: URL, spec: Record<string, Kind>): [string, unknown][] {
  const all = [...url.searchParams].filter(([name]) => name !== '_format' && name !== '_pretty');
  if (all.length > MOST) throw wrong('parameter', `There are more than ${MOST} parameters`);
  return all.map(([name, text]) => {
    const kind = kindOf(name, spec);
    if (kind === 'Coding' || kind === 'CodeableConcept') throw wrong(name, `${name} stands in Parameters, by POST`);
    if (kind === 'count') return [name, toCount(name, /^\d{1,9}$/.test(text) ? Number(text) : undefined)];
    if (kind === 'flag') return [name, toFlag(name, text === 'true' || (text === 'false' ? false : text))];
    return [name, toText(name, text)];
  });
}

function fromBody(body: unknown, spec: Record<string, Kind>): [string, unknown][] {
  if (body === undefined) return [];
  const { resourceType, parameter = [] } = (body ?? {}) as { resourceType?: unknown; parameter?: unknown };
  if (resourceType !== 'Parameters' || !Array.isArray(parameter) || parameter.length > MOST)
    throw wrong('Parameters.parameter', 'Send the parameters in the address, or as Parameters');
  return parameter.map((item: Record<string, unknown> | null, at) => {
    const name = item?.name;
    if (typeof name !== 'string') throw wrong(`Parameters.parameter[${at}]`, 'A parameter needs a name');
    const kind = kindOf(name, spec);
    const value = KEYS[kind].map((key) => item?.[key]).find((one) => one !== undefined);
    return [name, toValue(kind, name, value)];
  });
}

function kindOf(name: string, spec: Record<string, Kind>): Kind {
  const kind = Object.hasOwn(spec, name) ? spec[name] : undefined;
  if (!kind) throw wrong(name.slice(0, 80), `The parameter ${name.slice(0, 80)} is not supported here`);
  return kind;
}

function toValue(kind: Kind, name: string, value: unknown): unknown {
  if (kind === 'count') return toCount(name, numberOf(value));
  if (kind === 'flag') return toFlag(name, value);
  if (kind === 'Coding') return toCoding(name, value);
  if (kind !== 'CodeableConcept') return toText(name, value);
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
