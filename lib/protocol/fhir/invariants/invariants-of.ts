import { INVARIANTS } from '../generated/invariants.ts';
import { structure } from '../structures.ts';
import { ADMINISTRATIVE } from './administrative.ts';
import { CLINICAL } from './clinical.ts';
import { DATA_TYPES } from './data-types.ts';
import { DEFINITIONAL, ELEMENT_DEFINITION } from './definitional.ts';
import type { Holds, Rules } from './node.ts';
import { RESOURCES } from './resources.ts';
import { STRUCTURE_DEFINITION } from './structure-definition.ts';

export type Severity = 'error' | 'warning';

/** One that we judge ourselves. */
export type Invariant = { key: string; severity: Severity; text: string; holds: Holds };
/** One that is a FHIRPath expression for the engine. */
export type Expression = { key: string; severity: Severity; text: string; expression: string };
export type Invariants = { own: readonly Invariant[]; expressions: readonly Expression[] };

const OWN: Rules = {
  ...ADMINISTRATIVE,
  ...CLINICAL,
  ...DATA_TYPES,
  ...DEFINITIONAL,
  ...ELEMENT_DEFINITION,
  ...RESOURCES,
  ...STRUCTURE_DEFINITION,
};

/** What R4 says and nobody can hold a resource to, with the reason. */
export const NOT_JUDGED: Readonly<Record<string, string>> = {
  'ctm-1': 'asks of which type a resource is that is only referred to: reference targets and checkReferencesOnWrite do',
  'ppc-2': 'its code system is a placeholder of the draft ("something")',
  'ppc-3': 'as ppc-2',
  'ppc-4': 'as ppc-2',
  'ppc-5': 'as ppc-2',
  'ref-1': 'judged with the structure, of canonicals as well',
  'tst-6': 'says of test actions what tst-5 says, and test actions refer to the elements of setup',
  'tst-8': 'as tst-6, of tst-7',
  'tst-9': 'as tst-6, of tst-7',
  'tst-11': 'as tst-6, of tst-10',
  'tst-13': 'as tst-6, of tst-12',
  'txt-1': 'judged with the structure (xhtml.ts)',
  'txt-2': 'judged with the structure (xhtml.ts)',
};

const known = new Map<string, Invariants>();
let rows: Map<string, (typeof INVARIANTS)[number][]> | undefined;

/** The invariants of the element at this path (`Patient.contact`, `Period`); those of all resources with each of them. */
export function invariantsOf(path: string): Invariants {
  let found = known.get(path);
  if (!found) {
    const all = [...at(path), ...(structure(path)?.elements.has('contained') ? at('DomainResource') : [])];
    found = {
      own: all.flatMap(([, key, severity, , text]) => {
        const holds = OWN[path]?.[key] ?? (key.startsWith('dom-') ? OWN.DomainResource?.[key] : undefined);
        return holds ? [{ key, severity: severity as Severity, text, holds }] : [];
      }),
      expressions: all
        .filter(([place, key]) => !OWN[path]?.[key] && !key.startsWith('dom-') && place === path && !NOT_JUDGED[key])
        .map(([, key, severity, expression, text]) => ({ key, severity: severity as Severity, expression, text })),
    };
    known.set(path, found);
  }
  return found;
}

/** Those of a single value (`Organization.address`) stand with what has it, where we judge them by hand. */
function at(path: string): (typeof INVARIANTS)[number][] {
  rows ??= Map.groupBy(INVARIANTS, (row) => placeOf(row[0], row[1]));
  return rows.get(path) ?? [];
}

function placeOf(path: string, key: string): string {
  for (let place = path; place !== ''; place = place.slice(0, Math.max(0, place.lastIndexOf('.')))) {
    if (OWN[place]?.[key]) return place;
  }
  return path;
}
