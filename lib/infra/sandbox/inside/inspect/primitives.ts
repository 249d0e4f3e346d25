import type { Context, Stylize } from './options.ts';

type Texts = Pick<
  Context,
  'stylize' | 'compact' | 'breakLength' | 'indentation' | 'maxStringLength' | 'numericSeparator'
>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is told otherwise
const ESCAPED = /[\x00-\x1f'\\\x7f-\x9f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const SHORT: Record<string, string> = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '\\': '\\\\' };
// Node's: https://github.com/chalk/ansi-regex
const ANSI =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: of terminals
  /(?:\u001B\][\s\S]*?(?:\u0007|\u001B\u005C|\u009C))|[\u001B\u009B][[\]()#;?]*(?:\d{1,4}(?:[;:]\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]/g;
/** Shorter texts stay in one line. */
const SHORTEST_LINE = 16;

/** In quotes that it does not have, where there are such. */
export function quote(text: string): string {
  const hasSingle = text.includes("'");
  const mark = !hasSingle ? "'" : !text.includes('"') ? '"' : !text.includes('`') && !text.includes('${') ? '`' : "'";
  const safe = text.replace(ESCAPED, (found) => (found === "'" && mark !== "'" ? found : escaped(found)));
  return `${mark}${safe}${mark}`;
}

export function symbolText(symbol: symbol): string {
  return symbol.toString().replace(ESCAPED, escaped);
}

function escaped(found: string): string {
  if (found === "'") return "\\'";
  const code = found.charCodeAt(0);
  const hex = code.toString(16);
  return SHORT[found] ?? (code < 0xa0 ? `\\x${hex.toUpperCase().padStart(2, '0')}` : `\\u${hex}`);
}

export function formatPrimitive(value: unknown, context: Texts): string {
  const { stylize, numericSeparator } = context;
  if (typeof value === 'string') return formatText(value, context);
  if (typeof value === 'number') return formatNumber(stylize, value, numericSeparator);
  if (typeof value === 'bigint') return stylize(`${numericSeparator ? grouped(`${value}`) : value}n`, 'bigint');
  if (typeof value === 'symbol') return stylize(value.toString(), 'symbol');
  return stylize(`${value}`, typeof value);
}

function formatText(value: string, context: Texts): string {
  const { stylize, compact, breakLength, indentation, maxStringLength } = context;
  const more = value.length - maxStringLength;
  const trailer = more > 0 ? `... ${more} more character${more > 1 ? 's' : ''}` : '';
  const text = more > 0 ? value.slice(0, maxStringLength) : value;
  const isLong = text.length > SHORTEST_LINE && text.length > breakLength - indentation - 4;
  if (compact === true || !isLong) return stylize(quote(text), 'string') + trailer;
  const lines = text.split(/(?<=\n)/).map((line) => stylize(quote(line), 'string'));
  return lines.join(` +\n${' '.repeat(indentation + 2)}`) + trailer;
}

export function formatNumber(stylize: Stylize, value: number, isGrouped: boolean): string {
  const text = Object.is(value, -0) ? '-0' : `${value}`;
  if (!isGrouped || !/^-?\d+(?:\.\d+)?$/.test(text)) return stylize(text, 'number');
  const [whole, part] = text.split('.');
  const behind = part === undefined ? '' : `.${part.replace(/\d{3}(?=\d)/g, '$&_')}`;
  return stylize(`${grouped(whole!)}${behind}`, 'number');
}

function grouped(digits: string): string {
  return digits.replace(/\d(?=(?:\d{3})+$)/g, '$&_');
}

export function stripVTControlCharacters(text: string): string {
  if (typeof text !== 'string') throw new TypeError('The "str" argument must be of type string');
  return text.replace(ANSI, '');
}

/** How many columns of a terminal it takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const char of stripVTControlCharacters(text).normalize('NFC')) width += widthOfCode(char.codePointAt(0)!);
  return width;
}

// https://www.unicode.org/Public/UNIDATA/EastAsianWidth.txt and marks that stand over another character, by Node's ranges.
const NONE = [
  0, 0x1f, 0x7f, 0x9f, 0x300, 0x36f, 0x200b, 0x200f, 0x20d0, 0x20ff, 0xfe00, 0xfe0f, 0xfe20, 0xfe2f, 0xe0100, 0xe01ef,
];
const TWO = [
  ...[0x1100, 0x115f, 0x2329, 0x232a, 0x2e80, 0x303e, 0x3040, 0x3247, 0x3250, 0x4dbf, 0x4e00, 0xa4c6, 0xa960, 0xa97c],
  ...[
    0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe30, 0xfe6b, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x1b000, 0x1b001, 0x1f200, 0x1f251,
  ],
  ...[0x1f300, 0x1f64f, 0x20000, 0x3fffd],
];

function widthOfCode(code: number): number {
  if (code >= 0x20 && code < 0x7f) return 1;
  return isWithin(NONE, code) ? 0 : isWithin(TWO, code) ? 2 : 1;
}

function isWithin(ranges: readonly number[], code: number): boolean {
  return ranges.some((from, at) => at % 2 === 0 && code >= from && code <= ranges[at + 1]!);
}
