import { codeSet } from '../structures.ts';

const FHIR = 'http://hl7.org/fhir/';
const SETS = `${FHIR}ValueSet/`;

/** The codes of one of R4's own code systems, as far as they were listed for R4's required bindings: without displays. */
export function r4System(url: string): ReadonlySet<string> | undefined {
  if (!url.startsWith(FHIR)) return undefined;
  const set = codeSet(url.slice(FHIR.length));
  return set?.system === url ? set.codes : undefined;
}

/** One of R4's own value sets, whose codes are of one system. */
export function r4ValueSet(url: string): { system: string; codes: ReadonlySet<string> } | undefined {
  const set = url.startsWith(SETS) ? codeSet(url.slice(SETS.length)) : undefined;
  return set?.system === undefined ? undefined : { system: set.system, codes: set.codes };
}
