import { AppError } from '#lib/base/errors.ts';
import { numberOf } from '../../json/json.ts';

/** What is to be written: of one data type, or an element that has none, as parts; `more`: its id and extensions, when it is primitive. */
export type Given = { type: string; value: unknown; more?: unknown } | { parts: Part[] };
export type Part = { name: string; given: Given };
export type Operation = { at: number; path: string } & (
  | { type: 'add'; name: string; given: Given }
  | { type: 'insert'; index: number; given: Given }
  | { type: 'delete' }
  | { type: 'replace'; given: Given }
  | { type: 'move'; source: number; destination: number }
);

/** Each is a question to another thread. */
const MOST = 100;
const MAX_PATH = 1000;
const MAX_DEPTH = 20;
const NEEDS: Record<Operation['type'], readonly string[]> = {
  add: ['name', 'value'],
  insert: ['index', 'value'],
  delete: [],
  replace: ['value'],
  move: ['source', 'destination'],
};

type Raw = Record<string, unknown>;

/** A FHIRPath Patch (R4 fhirpatch). Throws 400 for what is none, or has more than R4 says, naming the operation. */
export function readOperations(body: unknown): Operation[] {
  const { resourceType, parameter = [], ...more } = (body ?? {}) as Raw;
  if (resourceType !== 'Parameters' || !Array.isArray(parameter))
    throw new AppError('invalid', 'A FHIRPath Patch is Parameters', { expression: 'Parameters' });
  const other = Object.keys(more).find((key) => key !== 'id' && key !== 'meta');
  if (other !== undefined) throw new AppError('invalid', 'A FHIRPath Patch has operations only', { expression: other });
  if (parameter.length > MOST)
    throw new AppError('invalid', `A patch has at most ${MOST} operations`, { expression: 'Parameters.parameter' });
  return parameter.map(readOperation);
}

function readOperation(item: unknown, at: number): Operation {
  const { name, part } = (item ?? {}) as Raw;
  if (name !== 'operation' || !Array.isArray(part)) throw invalid(at, 'A parameter is an operation, with its parts');
  const parts = new Map<string, Raw>();
  for (const one of part as (Raw | null)[]) {
    const of = one?.name;
    if (!one || typeof of !== 'string') throw invalid(at, 'A part needs a name');
    if (parts.has(of)) throw invalid(at, `${of.slice(0, 80)} is given twice`);
    parts.set(of, one);
  }
  const type = textOf(at, parts, 'type');
  if (!isType(type)) throw invalid(at, `type must be one of ${Object.keys(NEEDS).join(', ')}`);
  const path = textOf(at, parts, 'path');
  if (path.length > MAX_PATH) throw invalid(at, `path is longer than ${MAX_PATH} characters`);
  const other = [...parts.keys()].find((key) => key !== 'type' && key !== 'path' && !NEEDS[type].includes(key));
  if (other !== undefined) throw invalid(at, `${type} has no ${other.slice(0, 80)}`);
  const given = () => toGiven(at, parts.get('value'), 0);
  if (type === 'add') return { at, path, type, name: textOf(at, parts, 'name'), given: given() };
  if (type === 'insert') return { at, path, type, index: countOf(at, parts, 'index'), given: given() };
  if (type === 'replace') return { at, path, type, given: given() };
  if (type === 'delete') return { at, path, type };
  return {
    at,
    path,
    type,
    source: countOf(at, parts, 'source'),
    destination: countOf(at, parts, 'destination'),
  };
}

function isType(text: string): text is Operation['type'] {
  return Object.hasOwn(NEEDS, text);
}

function textOf(at: number, parts: ReadonlyMap<string, Raw>, name: string): string {
  const { valueString, valueCode } = parts.get(name) ?? {};
  const text = valueString ?? valueCode;
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw invalid(at, `${name} is needed, as valueString`);
}

function countOf(at: number, parts: ReadonlyMap<string, Raw>, name: string): number {
  const count = numberOf(parts.get(name)?.valueInteger);
  if (count !== undefined && Number.isInteger(count) && count >= 0) return count;
  throw invalid(at, `${name} is needed, as valueInteger from 0`);
}

function toGiven(at: number, part: Raw | undefined, depth: number): Given {
  if (depth > MAX_DEPTH) throw invalid(at, 'value is nested too deep');
  const { name: _, part: nested, resource, ...values } = part ?? {};
  const keys = Object.keys(values).filter((key) => /^value[A-Z]/.test(key));
  const beside = Object.keys(values).filter((key) => key.startsWith('_value'));
  const ways = [...(nested === undefined ? [] : ['part']), ...(resource === undefined ? [] : ['resource']), ...keys];
  const [way = beside[0]?.slice(1)] = ways;
  if (way === undefined || ways.length > 1 || beside.some((key) => key !== `_${way}`))
    throw invalid(at, 'value is needed, and is one value, a resource or parts');
  if (way === 'resource') return { type: 'Resource', value: resource };
  if (way !== 'part') return { type: way.slice('value'.length), value: values[way], more: values[`_${way}`] };
  if (!Array.isArray(nested) || nested.length === 0) throw invalid(at, 'part is a list of parts');
  return {
    parts: (nested as (Raw | null)[]).map((one) => {
      if (!one || typeof one.name !== 'string') throw invalid(at, 'A part needs a name');
      return { name: one.name, given: toGiven(at, one, depth + 1) };
    }),
  };
}

export function invalid(at: number, text: string, cause?: unknown): AppError {
  return new AppError('invalid', `Operation ${at}: ${text}`, { expression: `Parameters.parameter[${at}]`, cause });
}
