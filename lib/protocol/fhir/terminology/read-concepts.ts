import { AppError } from '#lib/base/errors.ts';
import { foldString } from '../index/normalize.ts';

/** A concept of a CodeSystem, as it is kept. */
export type Concept = {
  code: string;
  at: number;
  display?: string;
  definition?: string;
  sought: string;
  parents: readonly string[];
  ancestors: readonly string[];
  rest: { designation?: unknown[]; property?: unknown[] };
};
type Property = { code?: string; valueCode?: string };
export type Given = {
  code?: string;
  display?: string;
  definition?: string;
  designation?: unknown[];
  property?: Property[];
  concept?: Given[];
};
export type CodeSystem = { content?: string; property?: { code?: string; uri?: string }[]; concept?: Given[] };

/** A longer one is no code that anybody sends, and no key of an index. */
const MAX_CODE = 500;
/** Of a display, so much is looked at by a filter. */
const MAX_SOUGHT = 1000;
/** Of all concepts together: chains of a hundred thousand are no hierarchy that anybody asks. */
const MOST_ANCESTORS = 4_000_000;
const PROPERTIES = 'http://hl7.org/fhir/concept-properties#';

type Found = { given: Given; parents: string[] };

/**
 * The concepts of a CodeSystem, children after their parents, each code once; one after the other, so that they are not held twice. A supplement has
 * none of its own. Parents are those in which a concept stands, and those of its properties `parent` and `child`. Throws 400 too-costly, and 422 for a code
 * that is too long to be found.
 */
export function* readConcepts(system: CodeSystem): Generator<Concept> {
  if (system.content === 'supplement') return;
  const found = flatten(system.concept ?? []);
  addByProperty(found, system);
  const ancestorsOf = ancestry(found);
  let at = 0;
  for (const [code, { given, parents }] of found) {
    const { display, definition, designation, property } = given;
    const sought = foldString(`${code} ${display ?? ''}`.slice(0, MAX_SOUGHT)).toWellFormed();
    const rest = { ...(designation && { designation }), ...(property && { property }) };
    yield { code, at, display, definition, sought, parents, ancestors: ancestorsOf(code), rest };
    at += 1;
  }
}

/** In the order of the resource. */
function flatten(top: readonly Given[]): Map<string, Found> {
  const found = new Map<string, Found>();
  const waiting: { given: Given; parent?: string }[] = top.toReversed().map((given) => ({ given }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { given, parent } = next;
    const { code = '', concept = [] } = given;
    const before = found.get(code);
    if (before && parent !== undefined && parent !== code) before.parents.push(parent);
    else if (code.length > MAX_CODE) throw tooLong(code);
    else if (!before && code !== '') found.set(code, { given, parents: parent === undefined ? [] : [parent] });
    for (const child of concept.toReversed()) waiting.push({ given: child, parent: code });
  }
  return found;
}

function tooLong(code: string): AppError {
  const text = `A code has ${MAX_CODE} characters at most: ${code.slice(0, 40)}…`;
  return new AppError('business-rule', text, { expression: 'CodeSystem.concept.code' });
}

/** By the names that HL7 gives to these properties, or by what the system says that its own mean. */
function addByProperty(found: Map<string, Found>, { property = [] }: CodeSystem): void {
  const named = (name: string) =>
    new Set([name, ...property.filter(({ uri }) => uri === `${PROPERTIES}${name}`).map(({ code = '' }) => code)]);
  const [up, down] = [named('parent'), named('child')];
  for (const [code, { given, parents }] of found) {
    for (const { code: name = '', valueCode = '' } of given.property ?? []) {
      if (!found.has(valueCode) || valueCode === code) continue;
      if (up.has(name) && !parents.includes(valueCode)) parents.push(valueCode);
      const child = down.has(name) ? found.get(valueCode) : undefined;
      if (child && !child.parents.includes(code)) child.parents.push(code);
    }
  }
}

function ancestry(found: ReadonlyMap<string, Found>): (code: string) => string[] {
  let left = MOST_ANCESTORS;
  return (code) => {
    const all = new Set<string>();
    const waiting = [...(found.get(code)?.parents ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (all.has(next)) continue;
      all.add(next);
      left -= 1;
      if (left < 0) throw new AppError('too-costly', 'The hierarchy is too deep', { expression: 'CodeSystem.concept' });
      waiting.push(...(found.get(next)?.parents ?? []));
    }
    return [...all];
  };
}
