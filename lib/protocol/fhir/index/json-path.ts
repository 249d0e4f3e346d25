import type { Branch, Condition, Hop } from './path-compile.ts';

/** A branch as PostgreSQL's jsonpath (SQL/JSON) over a resource; it goes into arrays by itself. */
export function toJsonPath({ hops }: Pick<Branch, 'hops'>): string {
  return `$${hops.map(stepOf).join('')}`;
}

function stepOf(hop: Hop): string {
  if ('property' in hop) return `.${JSON.stringify(hop.property)}`;
  if ('index' in hop) return `[${hop.index}]`;
  return ` ? (${conditionOf(hop.condition)})`;
}

function conditionOf(condition: Condition): string {
  if ('equals' in condition)
    return `@.${JSON.stringify(condition.equals[0])} == ${JSON.stringify(condition.equals[1])}`;
  if ('extension' in condition) return `@.extension.url == ${JSON.stringify(condition.extension)}`;
  const type = condition.refersTo;
  const local = `(^|/)${type}/[A-Za-z0-9.-]{1,64}(/_history/[A-Za-z0-9.-]{1,64})?$`;
  return `@.reference like_regex ${JSON.stringify(local)} || (!exists(@.reference) && @.type == ${JSON.stringify(type)})`;
}
