import { AppError } from '#lib/base/errors.ts';
import type { Step } from '#lib/domain/rest/transaction/steps.ts';
import type { Part } from '#lib/protocol/fhir/search/controls.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { readPartOf, requireKnown } from '../general.ts';
import { readPreconditions } from '../preconditions.ts';
import type { Entry } from './parse-entry.ts';

const CHANGES = { PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

/**
 * What an entry of a transaction is to do. Throws 400 for what no transaction does: operations, whose code would run while rows are locked,
 * and other Bundles.
 */
export function toStep(entry: Entry): Step {
  const { index, method, path, search, fullUrl, ifNoneExist } = entry;
  const [type = '', id] = path;
  const isSearch = path.at(-1) === '_search';
  const expression = `Bundle.entry[${index}].request.url`;
  if (path.some((part) => part.startsWith('$'))) {
    throw new AppError('invalid', 'No operation runs in a transaction: send a batch', { expression });
  }
  const common = { index, type, fullUrl, given: preconditionsOf(entry) };
  if (method === 'GET' || method === 'HEAD' || (method === 'POST' && isSearch)) {
    return { ...common, verb: 'read', given: {} };
  }
  partOf(entry);
  const resource = entry.resource as Resource | undefined;
  if (method === 'POST') {
    if (path.length !== 1) throw unknown(path, expression);
    return { ...common, verb: 'create', condition: ifNoneExist, resource };
  }
  const isByCondition = path.length === 1;
  if (!isByCondition && path.length !== 2) throw unknown(path, expression);
  const which = isByCondition ? { condition: search } : { id };
  return { ...common, ...which, verb: CHANGES[method], resource: method === 'DELETE' ? undefined : resource };
}

/** What the address of a change says of its answer; a condition is not read here. Throws 400 for what it does not know, which changes nothing then. */
export function partOf({ index, method, path, search }: Entry): Part {
  if (path.length === 1 && method !== 'POST') return {};
  const url = new URL(`http://localhost/${search}`);
  try {
    if (method !== 'DELETE') return readPartOf(url, { others: path[0] === 'Binary' ? ['_filename'] : [] });
    requireKnown(url);
    return {};
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('invalid', error.message, { expression: `Bundle.entry[${index}].request.url` });
  }
}

function unknown(path: string[], expression: string): AppError {
  const text = path.length === 0 ? 'A Bundle cannot hold a batch or transaction' : 'Method not allowed';
  return new AppError('method-not-allowed', text, { expression });
}

function preconditionsOf({ index, headers }: Entry): Step['given'] {
  if (Object.keys(headers).length === 0) return {};
  try {
    return readPreconditions(new Request('http://localhost/', { headers }));
  } catch {
    throw new AppError('invalid', 'ifMatch and ifNoneMatch must hold entity tags like W/"3"', {
      expression: `Bundle.entry[${index}].request`,
    });
  }
}
