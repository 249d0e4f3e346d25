import { fhirBase } from '#lib/base/fhir-base.ts';
import { takeTurns } from '#lib/base/turns.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { type Extracted, extract } from '#lib/protocol/fhir/index/extract.ts';
import { evaluate, relatedIn } from '#lib/protocol/fhir/search/ir.ts';
import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import { parseKept } from '#lib/protocol/json/json.ts';
import { type Placing, placed } from '../access/accounts.ts';
import { everHidden, type Holds, hasFields, hiddenOf, keptOf } from '../access/fields.ts';
import { exprOf, type Policy } from '../access/policy.ts';
import type { Rule } from '../access/rule.ts';
import { type Candidate, relate } from './links/relate.ts';
import { accountsOf, type Row, toColumns, toResource } from './row.ts';
import { judgeable } from './within-reach.ts';

type Bound = { policy: Policy };
/** Who writes it. */
type Writer = Placing;

/** The row without what its reader's policy hides of it. */
export async function visibleRow(bound: Bound, row: Row, q?: Queryable): Promise<Row> {
  return (await visibleRows(bound, [row], q))[0] ?? row;
}

/** The same of many, with as few statements; each has its turn. */
export async function visibleRows(bound: Bound, rows: readonly Row[], q?: Queryable): Promise<Row[]> {
  if (!rows.some((row) => hasFields(bound, row.type))) return [...rows];
  const seen = new Map<Row, Row>();
  const turn = takeTurns();
  for (const [type, some] of Map.groupBy(rows, (row) => row.type)) {
    const judged = hasFields(bound, type) ? some.filter(({ content }) => content !== null) : [];
    const judges = await judgesOf(bound, judged, q);
    for (const [at, row] of judged.entries()) {
      await turn();
      seen.set(row, withoutElements(row, hiddenOf(bound, type, judges[at]!)));
    }
  }
  return rows.map((row) => seen.get(row) ?? row);
}

/**
 * Versions of one resource. `now`: what it is now, of which nothing is shown by what it once was; `unknown` where nobody has looked, and where they are
 * of several.
 */
export async function visibleVersions<V extends Row>(
  bound: Bound,
  versions: readonly V[],
  now: Row | 'unknown',
  q?: Queryable,
): Promise<V[]> {
  const isHidden = (row: Row) => hasFields(bound, row.type) && row.content !== null;
  if (now === 'unknown')
    return versions.map((row) =>
      isHidden(row) ? { ...row, ...withoutElements(row, everHidden(bound, row.type)) } : row,
    );
  const judged = [now, ...versions].filter(isHidden);
  const judges = await judgesOf(bound, judged, q);
  const hidden = new Map(judged.map((row, at) => [row, hiddenOf(bound, row.type, judges[at]!)]));
  const always = hidden.get(now) ?? [];
  return versions.map((row) => {
    return isHidden(row) ? { ...row, ...withoutElements(row, new Set([...(hidden.get(row) ?? []), ...always])) } : row;
  });
}

/** Without elements at the top of it, and what stands beside these. */
export function withoutElements(row: Row, names: ReadonlySet<string>): Row {
  if (names.size === 0 || row.content === null) return row;
  const left = Object.entries(parseKept(row.content) as object).filter(([name]) => !names.has(name.replace(/^_/, '')));
  return { ...row, content: JSON.stringify(Object.fromEntries(left)) };
}

/** `holds`: which rules do, at the moment at which it was left so; undefined where no rule speaks of fields. */
export type Creatable<R> = { resource: R; holds?: Holds };

/** A new resource without what its maker may not say of it, and with the accounts that it gets. */
export async function creatable<R extends Stored<Resource>>(
  bound: Writer,
  projectId: string,
  given: R,
  q?: Queryable,
): Promise<Creatable<R>> {
  const type = given.resourceType;
  const resource = placed(bound, [], given);
  if (!hasFields(bound, type)) return { resource };
  // What is left may be another rule's: it is asked again until nothing more goes.
  let left = resource;
  for (;;) {
    const holds = await judgeResource(bound, projectId, left, q);
    const next = kept(left, undefined, keptOf(bound, type, 'create', holds));
    if (Object.keys(next).length === Object.keys(left).length) return { resource: next, holds };
    left = next;
  }
}

/** The next state of a row, in which what its writer does not see or may not change is as it was: its accounts, too, also of one that comes back. */
export async function changeable<R extends Resource>(bound: Writer, current: Row, given: R, q?: Queryable): Promise<R> {
  const last = await judgeable(current, q);
  const next = placed(bound, accountsOf(last), given);
  if (!hasFields(bound, current.type)) return next;
  const { id, projectId } = current;
  const judge =
    current.content === null
      ? await judgeResource(bound, projectId, { ...next, id }, q)
      : await judgeOf(bound, current, q);
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

/** Which rules of a policy hold of the row: its content is read once. */
export async function judgeOf(bound: Bound, row: Row, q?: Queryable): Promise<Holds> {
  return (await judgesOf(bound, [row], q))[0]!;
}

/** Of several of one type. */
function judgesOf(bound: Bound, rows: readonly Row[], q?: Queryable): Promise<Holds[]> {
  return judges(
    bound,
    rows.map((row) => ({ ...row, resource: () => toResource<Stored<Resource>>(row) })),
    q,
  );
}

/** The same of what is about to be stored. */
export async function judgeResource(
  bound: Bound,
  projectId: string,
  resource: Stored<Resource>,
  q?: Queryable,
): Promise<Holds> {
  const { resourceType: type, id } = resource;
  const { content } = toColumns(resource);
  const one = { projectId, type, id, content, lastUpdated: new Date(), resource: () => resource };
  return (await judges(bound, [one], q))[0]!;
}

type Judged = Candidate & Pick<Row, 'lastUpdated'> & { resource: () => Stored<Resource> };

/** What rules ask of other resources is looked up for all at once; each resource is extracted once, whatever is asked of it. */
async function judges({ policy }: Bound, judged: readonly Judged[], q?: Queryable): Promise<Holds[]> {
  const [first] = judged;
  const relating = policy.rules.filter((r) => r.resourceType === first?.type && relatedIn(r.expr).length > 0);
  const exprs = new Map(relating.map((r): [Rule, ReturnType<typeof exprOf>] => [r, exprOf(r)]));
  const related = await relate([...exprs.values()], judged, q);
  return judged.map(({ projectId, id, lastUpdated, resource }, at) => {
    let extracted: Extracted | undefined;
    return (r: Rule) => {
      const expr = exprs.get(r) ?? exprOf(r);
      if (expr.op === 'all') return true;
      extracted ??= extract(projectId, resource(), fhirBase());
      return evaluate(expr, extracted, { id, lastUpdated, related: related[at] });
    };
  });
}
