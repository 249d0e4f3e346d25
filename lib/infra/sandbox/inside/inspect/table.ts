import { isMap, isSet, typedArrayName } from './kinds.ts';
import { nodes } from './nodes.ts';

const { inspect, getStringWidth: widthOf } = nodes;

/** More have no room in a log. */
const MOST_ROWS = 4000;
const MOST_COLUMNS = 200;

/** https://nodejs.org/api/console.html#consoletabletabulardata-properties. Undefined for what has no rows. */
export function table(data: unknown, properties?: readonly string[]): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if (isMap(data)) {
    const pairs = [...(data as Map<unknown, unknown>)].slice(0, MOST_ROWS);
    const columns = [
      pairs.map((_, at) => cell(at)),
      pairs.map(([key]) => cell(key)),
      pairs.map(([, value]) => cell(value)),
    ];
    return draw(['(iteration index)', 'Key', 'Values'], columns);
  }
  if (isSet(data)) {
    const values = [...(data as Set<unknown>)].slice(0, MOST_ROWS);
    return draw(['(iteration index)', 'Values'], [values.map((_, at) => cell(at)), values.map(cell)]);
  }
  const isList = Array.isArray(data) || typedArrayName(data) !== undefined;
  const rows = isList ? indexesOf(data as ArrayLike<unknown>) : Object.keys(data).slice(0, MOST_ROWS);
  const columns = new Map<string, string[]>();
  const plain: string[] = [];
  for (const [at, row] of rows.entries()) {
    const item = (data as Record<string, unknown>)[row];
    const isPlain = item === null || (typeof item !== 'function' && typeof item !== 'object');
    if (isPlain && properties === undefined) plain[at] = cell(item);
    else {
      for (const key of properties ?? Object.keys(item as object)) {
        const column = columns.get(key) ?? [];
        if (column.length === 0 && columns.size >= MOST_COLUMNS) continue;
        columns.set(key, column);
        column[at] = isPlain || !Object.hasOwn(item, key) ? '' : cell((item as Record<string, unknown>)[key]);
      }
    }
  }
  const hasPlain = plain.length > 0;
  return draw(
    ['(index)', ...columns.keys(), ...(hasPlain ? ['Values'] : [])],
    [rows, ...columns.values(), ...(hasPlain ? [plain] : [])],
  );
}

function indexesOf({ length }: ArrayLike<unknown>): string[] {
  return Array.from({ length: Math.min(length, MOST_ROWS) }, (_, at) => String(at));
}

function cell(value: unknown): string {
  const isLarge =
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    typedArrayName(value) === undefined &&
    Object.keys(value).length > 2;
  return inspect(value, { depth: isLarge ? -1 : 0, maxArrayLength: 3, breakLength: Number.POSITIVE_INFINITY });
}

function draw(head: string[], columns: string[][]): string {
  const height = Math.max(...columns.map(({ length }) => length));
  const cells = columns.map((column) => Array.from({ length: height }, (_, at) => column[at] ?? ''));
  const widths = head.map((name, at) => Math.max(widthOf(name), ...cells[at]!.map(widthOf)));
  const row = (texts: string[]) =>
    `│ ${texts.map((text, at) => text + ' '.repeat(widths[at]! - widthOf(text))).join(' │ ')} │`;
  const rule = (left: string, middle: string, right: string) =>
    left + widths.map((width) => '─'.repeat(width + 2)).join(middle) + right;
  const lines = Array.from({ length: height }, (_, at) => row(cells.map((column) => column[at]!)));
  return [rule('┌', '┬', '┐'), row(head), rule('├', '┼', '┤'), ...lines, rule('└', '┴', '┘')].join('\n');
}
