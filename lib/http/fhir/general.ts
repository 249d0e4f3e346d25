import { AppError } from '#lib/base/errors.ts';
import { isIgnored, type Part, readPart } from '#lib/protocol/fhir/search/controls.ts';
import { requireAcceptable } from './negotiation.ts';
import { preference } from './prefer.ts';

/**
 * What the address of a request that is no search says of its answer (R4 http §3.1.0.1.11, General Parameters): how much of a resource. Throws 406 for
 * what we do not write, 400 naming a parameter that nothing here knows: a condition on one resource would be passed over, and something else done than
 * was meant. Only a read passes them over for who prefers that. `others`: what this request takes besides.
 */
export function readGeneral(request: Request, url: URL, others: readonly string[] = []): Part {
  requireAcceptable(request, url);
  return readPartOf(url, { others, isLenient: isLenient(request) });
}

/** As readGeneral, of what answers with no resource. */
export function requireNoPart(request: Request, url: URL): void {
  requireAcceptable(request, url);
  requireKnown(url);
}

/** Throws 400 for a parameter that says nothing of how an answer is written. */
export function requireKnown(url: URL): void {
  for (const name of url.searchParams.keys()) if (!isIgnored(name)) throw unknown(name);
}

type Known = { others?: readonly string[]; isLenient?: boolean };

/** How much of a resource, by an address alone. */
export function readPartOf(url: URL, { others = [], isLenient = false }: Known = {}): Part {
  const part: Part = {};
  for (const [name, value] of url.searchParams) {
    if (isIgnored(name) || others.includes(name)) continue;
    if (name === '_summary' && part.summary !== undefined) throw bad(name, '_summary may stand only once');
    if (!readPart(part, name, value) && !isLenient) throw unknown(name);
  }
  if (part.summary === 'count') throw bad('_summary', '_summary=count is for searches');
  return part;
}

/** Whether a read is to pass over what it does not know. A change never is. */
export function isLenient(request: Request): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && preference(request, 'handling') === 'lenient';
}

function unknown(name: string): AppError {
  return bad(name, `Unknown parameter: ${name.slice(0, 80)}`);
}

function bad(expression: string, text: string): AppError {
  return new AppError('invalid', text, { expression: expression.slice(0, 80) });
}
