import { AppError } from '#lib/base/errors.ts';

/** What an expansion reads of a ValueSet. */
export type ValueSet = {
  resourceType: 'ValueSet';
  id?: string;
  url?: string;
  version?: string;
  name?: string;
  title?: string;
  status?: string;
  compose?: { include?: Include[]; exclude?: Include[] };
};
export type Listed = { code?: string; display?: string };
export type Include = {
  system?: string;
  version?: string;
  concept?: Listed[];
  filter?: { property?: string; op?: string; value?: string }[];
  valueSet?: string[];
};
/** A filter as the statement takes it: property, operator, values. */
export type Filter = { p: string; op: string; v: string[] };

const OF_HIERARCHY = ['is-a', 'descendent-of', 'is-not-a'];
/** Whether it takes what lies below a code. */
export function isOfHierarchy({ op }: Filter): boolean {
  return OF_HIERARCHY.includes(op);
}

const OF_PROPERTY = ['=', 'in', 'not-in'];
const MOST_FILTERS = 20;

/** The filters of an include. Throws 422 for one that is not judged, naming it: nothing is left out silently. */
export function readFilters({ filter = [] }: Include): Filter[] {
  if (filter.length > MOST_FILTERS) throw refused(`more than ${MOST_FILTERS} filters`);
  return filter.map(({ property = '', op = '', value = '' }) => {
    const isHierarchy = OF_HIERARCHY.includes(op) && (property === 'concept' || property === 'code');
    if (!isHierarchy && !OF_PROPERTY.includes(op)) throw refused(`the filter ${property} ${op}`.slice(0, 200));
    const v = op === 'in' || op === 'not-in' ? value.split(',').map((one) => one.trim()) : [value];
    return { p: property, op, v };
  });
}

/** What every system has of its concepts, said or not. */
const OF_ANY = new Set(['concept', 'code', 'display', 'parent', 'child']);

/** Throws 422 for a filter by what the system has not: it would leave nothing silently, or with `not-in` everything. */
export function requireProperties(filters: readonly Filter[], properties: readonly string[]): void {
  const lost = filters.find(({ p }) => !OF_ANY.has(p) && !properties.includes(p));
  if (lost)
    throw refused(`the filter ${lost.p} ${lost.op}`.slice(0, 200).concat(', and its code system has no such property'));
}

export function refused(what: string): AppError {
  return new AppError('business-rule', `The value set cannot be expanded here: it has ${what}`, {
    expression: 'ValueSet.compose',
  });
}
