import type { Context } from './options.ts';
import { stripVTControlCharacters, widthOf } from './primitives.ts';

/** Between two entries: a comma and a space. */
const SEPARATOR = 2;

/** Lines or one line of what was found in a value. `list`: it is an array, whose short elements stand in columns. */
export function layOut(
  context: Context,
  entries: string[],
  base: string,
  braces: readonly [string, string],
  depth: number,
  list?: ArrayLike<unknown> | true,
): string {
  const { compact, indentation } = context;
  const before = base ? `${base} ` : '';
  const line = `\n${' '.repeat(indentation)}`;
  if (compact === true) {
    if (fits(context, entries, 0, base))
      return `${braces[0]}${base ? ` ${base}` : ''} ${entries.join(', ')} ${braces[1]}`;
    const first = base === '' && braces[0].length === 1 ? ' ' : `${base ? ` ${base}` : ''}${line}  `;
    return `${braces[0]}${first}${entries.join(`,${line}  `)} ${braces[1]}`;
  }
  let rows = entries;
  if (typeof compact === 'number' && compact >= 1) {
    if (list && entries.length > 6) rows = inColumns(context, entries, list === true ? undefined : list);
    if (context.currentDepth - depth < compact && rows.length === entries.length) {
      const start = rows.length + indentation + braces[0].length + base.length + 10;
      const joined = fits(context, rows, start, base) ? rows.join(', ') : '\n';
      if (!joined.includes('\n')) return `${before}${braces[0]} ${joined} ${braces[1]}`;
    }
  }
  return `${before}${braces[0]}${line}  ${rows.join(`,${line}  `)}${line}${braces[1]}`;
}

function fits({ breakLength, colors }: Context, entries: string[], start: number, base: string): boolean {
  let length = entries.length + start;
  if (length + entries.length > breakLength) return false;
  for (const entry of entries) {
    length += colors ? stripVTControlCharacters(entry).length : entry.length;
    if (length > breakLength) return false;
  }
  return (
    !base.includes('\n') && (breakLength !== Number.POSITIVE_INFINITY || !entries.some((entry) => entry.includes('\n')))
  );
}

function inColumns(context: Context, entries: string[], list: ArrayLike<unknown> | undefined): string[] {
  const { breakLength, indentation, maxArrayLength } = context;
  // What says how many more there are has a line of its own.
  const isCut = maxArrayLength < entries.length;
  const count = isCut ? entries.length - 1 : entries.length;
  const lengths = entries.slice(0, count).map(widthOf);
  const longest = Math.max(0, ...lengths);
  const total = lengths.reduce((sum, length) => sum + length + SEPARATOR, 0);
  const most = longest + SEPARATOR;
  const isEven = total / most > 5 || longest <= 6;
  if (!(most * 3 + indentation < breakLength) || !isEven) return entries;
  // A character is two and a half times as high as it is wide: about a square.
  const biased = Math.max(most - 3 - Math.sqrt(most - total / entries.length), 1);
  const columns = Math.min(
    Math.round(Math.sqrt(2.5 * biased * count) / biased),
    Math.floor((breakLength - indentation) / most),
    Number(context.compact) * 4,
    15,
  );
  if (columns <= 1) return entries;
  const widths = Array.from({ length: columns }, (_, column) => {
    let width = 0;
    for (let at = column; at < count; at += columns) width = Math.max(width, lengths[at]!);
    return width + SEPARATOR;
  });
  const isNumbers = list === undefined || entries.every((_, at) => ['number', 'bigint'].includes(typeof list[at]));
  const rows: string[] = [];
  for (let from = 0; from < count; from += columns) {
    const end = Math.min(from + columns, count);
    let row = '';
    for (let at = from; at < end; at += 1) {
      const isLast = at === end - 1;
      const text = isLast ? entries[at]! : `${entries[at]}, `;
      const width = widths[at - from]! + entries[at]!.length - lengths[at]! - (isLast ? SEPARATOR : 0);
      row += isNumbers ? text.padStart(width) : isLast ? text : text.padEnd(width);
    }
    rows.push(row);
  }
  if (isCut) rows.push(entries[count]!);
  return rows;
}
