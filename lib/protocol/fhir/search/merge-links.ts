import type { Condition, Expr, Link } from './ir.ts';

/**
 * Links of which any may hold, those that lead alike as one, whose ends are alternatives: that some patient is of this or of that organization. The same
 * policy, named by a membership a hundred times with other parameters, so stays one question.
 */
export function mergeLinks(links: readonly Link[]): Link[] {
  return [...Map.groupBy(links, keyOf).values()].map((same) => {
    const [first] = same;
    return { ...first!, condition: anyOf(same.map(({ condition }) => condition)) };
  });
}

function keyOf({ way, type, param, condition }: Link): string {
  return [way, type, param.id, 'filter' in condition].join(' ');
}

/** All are of one kind. */
function anyOf(conditions: readonly Condition[]): Condition {
  const filters = conditions.flatMap((each): Expr[] => ('filter' in each ? [each.filter] : []));
  if (filters.length === 0) return { anyOf: mergeLinks(conditions.flatMap((c) => ('anyOf' in c ? c.anyOf : []))) };
  return { filter: filters.length === 1 ? filters[0]! : { op: 'or', args: filters } };
}
