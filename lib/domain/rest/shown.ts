import { parseKept } from '#lib/protocol/json/json.ts';
import type { Actor } from '../access/context.ts';
import type { Row } from '../store/row.ts';
import { ruleOf } from './type-rules.ts';

/** The row as this caller may see it: without the elements that the type hides from them. */
export function shown(actor: Actor, row: Row): Row {
  const names = ruleOf(row.type).hidden?.(actor) ?? [];
  if (names.length === 0 || row.content === null) return row;
  const visible = Object.entries(parseKept(row.content) as object).filter(([name]) => !names.includes(name));
  return { ...row, content: JSON.stringify(Object.fromEntries(visible)) };
}
