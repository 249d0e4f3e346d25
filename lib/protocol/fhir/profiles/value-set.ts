import { parseCanonical } from '../references.ts';
import { codeSet } from '../structures.ts';
import type { InSet } from './scene.ts';

type Concept = { code?: string };
type Include = { system?: string; concept?: Concept[]; filter?: unknown; valueSet?: unknown };
export type ValueSet = { url?: string; version?: string; compose?: { include?: Include[]; exclude?: unknown[] } };

const R4 = 'http://hl7.org/fhir/ValueSet/';
/** More than that is a terminology, and not a list of choices. */
const MAX_CONCEPTS = 20_000;

/** A set that lists its concepts; undefined for one that describes them. */
export function listedSet({ compose }: ValueSet): InSet | undefined {
  const { include = [], exclude = [] } = compose ?? {};
  if (include.length === 0 || exclude.length > 0) return undefined;
  const [names, codes] = [new Set<string>(), new Set<string>()];
  for (const { system, concept, filter, valueSet } of include) {
    if (!concept || filter || valueSet) return undefined;
    for (const { code = '' } of concept) {
      names.add(`${system ?? ''}|${code}`);
      codes.add(code);
    }
    if (names.size > MAX_CONCEPTS) return undefined;
  }
  return (code, system, isPlain) => (isPlain ? codes.has(code) : names.has(`${system ?? ''}|${code}`));
}

/** One of R4's own, as far as it was listed for R4's required bindings. */
export function r4Set(canonical: string): InSet | undefined {
  const { url } = parseCanonical(canonical);
  const set = url.startsWith(R4) ? codeSet(url.slice(R4.length)) : undefined;
  if (!set) return undefined;
  return (code, system, isPlain) => {
    return set.codes.has(code) && (isPlain || set.system === undefined || set.system === system);
  };
}
