import type { Actor } from '../access/context.ts';
import type { Row } from '../store/row.ts';
import { visibleRow, withoutElements } from '../store/visible-row.ts';
import { ruleOf } from './type-rules.ts';

/** The row as this caller may see it: without the elements that the type, or their policy, hides from them. `now`: as `visibleRow`. */
export function shown(actor: Actor, row: Row, now?: Row | 'unknown'): Row {
  const names = ruleOf(row.type).hidden?.(actor) ?? [];
  return visibleRow(actor, names.length === 0 ? row : withoutElements(row, new Set(names)), now);
}
