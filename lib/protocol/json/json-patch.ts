import jsonPatch, { type Operation } from 'fast-json-patch';
import { AppError } from '#lib/base/errors.ts';
import { cloneJson, isSameJson, numberOf } from './json.ts';

const { applyOperation } = jsonPatch;

export type PatchOptions = {
  /** JSON pointers: no operation may change what stands there or below (`test` may look). */
  forbidden: readonly string[];
};

const MAX_OPERATIONS = 1000;
/** Of all resources the deepest element has a fifth of it. */
const MAX_POINTER = 1000;
/** Bytes that all `copy` operations together may add: each can double the document. */
const MAX_COPIED = 1024 * 1024;
const OPS = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

/**
 * Applies a JSON Patch (RFC 6902) to a resource and returns the result; `document` stays as it is, and decimals keep their digits. One
 * leniency: `replace` of a top-level member that is absent adds it. Throws AppError: 400 for what is not a patch, does not fit the
 * document or touches a forbidden member, each naming the operation; 412 for a `test` that fails.
 */
export function applyJsonPatch<T extends object>(document: T, patch: unknown, options: PatchOptions): T {
  if (!Array.isArray(patch)) throw invalid('A JSON Patch is an array of operations');
  if (patch.length === 0) throw invalid('The patch is empty');
  if (patch.length > MAX_OPERATIONS) throw invalid(`A patch has at most ${MAX_OPERATIONS} operations`);
  const operations = patch.map((item, index) => toOperation(item, index, options));
  let result = cloneJson(document) as Json;
  let copied = 0;
  for (const [index, operation] of operations.entries()) {
    const fitted = prepare(operation, result, index);
    if (operation.op === 'copy') copied += JSON.stringify(fitted).length;
    if (copied > MAX_COPIED) throw invalid('The patch copies too much', index);
    if (operation.op === 'move') result = run(result, { op: 'remove', path: operation.from }, index);
    requireIndexes(fitted, result, index);
    if (fitted.op === 'test') requireEqual(result, fitted.path, fitted.value, index);
    // What is moved was looked through when it came.
    else result = run(result, fitted, index, operation.op !== 'move');
  }
  return result as T;
}

type Json = Record<string, unknown>;

function toOperation(item: unknown, index: number, { forbidden }: PatchOptions): Operation {
  if (typeof item !== 'object' || item === null) throw invalid('An operation is an object', index);
  const { op, path, from, value } = item as Record<string, unknown>;
  if (typeof op !== 'string' || !OPS.has(op)) throw invalid(`op must be one of ${[...OPS].join(', ')}`, index, 'op');
  const target = readPointer(path, index, 'path');
  if (op !== 'test') refuseForbidden(target, forbidden, index, 'path');
  if (op === 'move' || op === 'copy') {
    const source = readPointer(from, index, 'from');
    if (op === 'move') {
      refuseForbidden(source, forbidden, index, 'from');
      // RFC 6902 §4.4: nothing can be moved into itself.
      if (`${path}/`.startsWith(`${from}/`) && path !== from) throw invalid('path lies below from', index, 'path');
    }
    return { op, path: path as string, from: from as string };
  }
  if (op === 'remove') return { op, path: path as string };
  if (value === undefined) throw invalid('value is missing', index, 'value');
  return { op: op as 'add' | 'replace' | 'test', path: path as string, value };
}

/** RFC 6901, decoded. Only below the root, and never through what an object inherits. */
function readPointer(pointer: unknown, index: number, field: string): string[] {
  if (typeof pointer === 'string' && pointer.length > MAX_POINTER) {
    throw invalid(`${field} is longer than ${MAX_POINTER} characters`, index, field);
  }
  if (typeof pointer !== 'string' || !/^(?:\/(?:[^~/]|~[01])*)+$/.test(pointer)) {
    throw invalid(`${field} must be a JSON pointer that starts with /`, index, field);
  }
  const segments = pointer.slice(1).split('/').map(decode);
  if (segments.some((segment) => segment in Object.prototype || segment === 'prototype')) {
    throw invalid(`${field} is not allowed`, index, field);
  }
  return segments;
}

function refuseForbidden(segments: string[], forbidden: readonly string[], index: number, field: string): void {
  const found = forbidden.find((pointer) => `/${segments.join('/')}/`.startsWith(`${pointer}/`));
  if (found !== undefined) throw invalid(`${found} cannot be changed`, index, field);
}

function decode(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The operation as the library is to run it. */
function prepare(operation: Operation, document: Json, index: number): Operation {
  if (operation.op === 'copy' || operation.op === 'move') {
    const value = valueAt(document, operation.from);
    if (value === undefined) throw invalid('from points at nothing', index, 'from');
    // The library's own copy would turn 1.50 into 1.5, and its move copies the whole document.
    return { op: 'add', path: operation.path, value: operation.op === 'copy' ? cloneJson(value) : value };
  }
  const name = decode(operation.path.slice(1));
  const isAbsentMember = operation.path.lastIndexOf('/') === 0 && !Object.hasOwn(document, name);
  if (operation.op === 'replace' && isAbsentMember) return { ...operation, op: 'add' };
  return operation;
}

/** Undefined when nothing stands there. */
function valueAt(document: unknown, pointer: string): unknown {
  return segmentsOf(pointer).reduce(memberOf, document);
}

function segmentsOf(pointer: string): string[] {
  return pointer.slice(1).split('/').map(decode);
}

function memberOf(value: unknown, segment: string): unknown {
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, segment);
  if (!isThere || (Array.isArray(value) && !INDEX.test(segment))) return undefined;
  return (value as Json)[segment];
}

/** RFC 6901 §4: digits without leading zeros. `-` stands after the last item, where only `add` finds a place. */
const INDEX = /^(?:0|[1-9]\d*)$/;

/** The library takes '' for 0, 01 for 1, and - for an item that could be replaced. */
function requireIndexes({ op, path }: Operation, document: Json, index: number): void {
  const segments = segmentsOf(path);
  let value: unknown = document;
  for (const [depth, segment] of segments.entries()) {
    const appends = op === 'add' && segment === '-' && depth === segments.length - 1;
    const isIndex = INDEX.test(segment) && (op !== 'add' || Number(segment) <= (value as unknown[])?.length);
    if (Array.isArray(value) && !appends && !isIndex) {
      throw invalid(`${JSON.stringify(segment.slice(0, 40))} is no index of an array`, index, 'path');
    }
    value = memberOf(value, segment);
  }
}

/** RFC 6902 §4.6: numbers are equal by value, 72.0 and 72. Throws 412. */
function requireEqual(document: Json, path: string, wanted: unknown, index: number): void {
  const found = valueAt(document, path);
  if (found !== undefined && isSameJson(found, wanted, numberOf)) return;
  throw new AppError('precondition-failed', `Operation ${index}: the test failed`, { expression: `[${index}]` });
}

function run(document: Json, operation: Operation, index: number, looksThrough = true): Json {
  try {
    return applyOperation(document, operation, looksThrough, true, true, index).newDocument;
  } catch (cause) {
    throw invalid('path does not fit the resource', index, 'path', cause);
  }
}

function invalid(text: string, index?: number, field?: string, cause?: unknown): AppError {
  if (index === undefined) return new AppError('invalid', text, { cause });
  return new AppError('invalid', `Operation ${index}: ${text}`, {
    expression: field ? `[${index}].${field}` : `[${index}]`,
    cause,
  });
}
