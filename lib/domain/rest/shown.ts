import type { Queryable } from '#lib/infra/db/client.ts';
import type { Actor } from '../access/context.ts';
import type { Row } from '../store/row.ts';
import { visibleRows, visibleVersions, withoutElements } from '../store/visible-row.ts';
import { ruleOf } from './type-rules.ts';

/** The row as this caller may see it: without the elements that the type, or their policy, hides from them. */
export async function shown(actor: Actor, row: Row, q?: Queryable): Promise<Row> {
  return (await shownAll(actor, [row], q))[0] ?? row;
}

/** The same of many, each at its place. */
export function shownAll(actor: Actor, rows: readonly Row[], q?: Queryable): Promise<Row[]> {
  return visibleRows(
    actor,
    rows.map((row) => withoutOwn(actor, row)),
    q,
  );
}

/** The same of versions. `now`: as `visibleVersions`. */
export function shownVersions<V extends Row>(
  actor: Actor,
  versions: readonly V[],
  now: Row | 'unknown',
  q?: Queryable,
): Promise<V[]> {
  return visibleVersions(
    actor,
    versions.map((row) => ({ ...row, ...withoutOwn(actor, row) })),
    now,
    q,
  );
}

function withoutOwn(actor: Actor, row: Row): Row {
  const names = ruleOf(row.type).hidden?.(actor) ?? [];
  return names.length === 0 ? row : withoutElements(row, new Set(names));
}
