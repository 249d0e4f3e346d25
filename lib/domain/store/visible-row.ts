import { fhirBase } from '#lib/base/fhir-base.ts';
import { type Extracted, extract } from '#lib/protocol/fhir/index/extract.ts';
import { type Expr, evaluate } from '#lib/protocol/fhir/search/ir.ts';
import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import { parseKept } from '#lib/protocol/json/json.ts';
import { everHidden, hasFields, hiddenOf, keptOf } from '../access/fields.ts';
import type { Policy } from '../access/policy.ts';
import { type Row, toResource } from './row.ts';

type Bound = { policy: Policy };

/**
 * The row without what its reader's policy hides of it. `now`: of a version, what the resource is now, of which nothing is shown by what it once
 * was; `unknown` where nobody has looked.
 */
export function visibleRow(bound: Bound, row: Row, now?: Row | 'unknown'): Row {
  if (!hasFields(bound, row.type) || row.content === null) return row;
  if (now === 'unknown') return withoutElements(row, everHidden(bound, row.type));
  const rows = [row, ...(now && now.content !== null ? [now] : [])];
  return withoutElements(row, new Set(rows.flatMap((each) => [...hiddenOf(bound, row.type, judgeOf(each))])));
}

/** Without elements at the top of it, and what stands beside these. */
export function withoutElements(row: Row, names: ReadonlySet<string>): Row {
  if (names.size === 0 || row.content === null) return row;
  const left = Object.entries(parseKept(row.content) as object).filter(([name]) => !names.has(name.replace(/^_/, '')));
  return { ...row, content: JSON.stringify(Object.fromEntries(left)) };
}

/** A new resource without what its maker may not say of it. */
export function creatable<R extends Stored<Resource>>(bound: Bound, projectId: string, resource: R): R {
  const type = resource.resourceType;
  if (!hasFields(bound, type)) return resource;
  // What is left may be another rule's: it is asked again until nothing more goes.
  let left = resource;
  for (;;) {
    const next = kept(left, undefined, keptOf(bound, type, 'create', judgeResource(projectId, left)));
    if (Object.keys(next).length === Object.keys(left).length) return next;
    left = next;
  }
}

/** The next state of a row, in which what its writer does not see or may not change is as it was. */
export function changeable<R extends Resource>(bound: Bound, current: Row, next: R): R {
  if (!hasFields(bound, current.type)) return next;
  const id = current.id;
  const judge = current.content === null ? judgeResource(current.projectId, { ...next, id }) : judgeOf(current);
  return kept(
    next,
    current.content === null ? undefined : toResource(current),
    keptOf(bound, current.type, 'update', judge),
  );
}

function kept<R extends Resource>(next: R, before: Resource | undefined, names: ReadonlySet<string>): R {
  if (names.size === 0) return next;
  const isKept = ([name]: [string, unknown]) => names.has(name.replace(/^_/, ''));
  const own = Object.entries(next).filter((entry) => !isKept(entry));
  return Object.fromEntries([...own, ...Object.entries(before ?? {}).filter(isKept)]) as R;
}

/** What a policy asks of the row: its content is read once. */
export function judgeOf(row: Row): (expr: Expr) => boolean {
  return judge(() => extract(row.projectId, toResource(row), fhirBase()), row);
}

/** The same of what is about to be stored. */
export function judgeResource(projectId: string, resource: Stored<Resource>): (expr: Expr) => boolean {
  return judge(() => extract(projectId, resource, fhirBase()), { id: resource.id, lastUpdated: new Date() });
}

/** Extracted once, whatever is asked of it. */
function judge(index: () => Extracted, facts: Parameters<typeof evaluate>[2]): (expr: Expr) => boolean {
  let extracted: Extracted | undefined;
  return (expr) => {
    if (expr.op === 'all') return true;
    extracted ??= index();
    return evaluate(expr, extracted, facts);
  };
}
