import type { CompileError } from './compile-errors.ts';

export type SourcePlace = Pick<CompileError, 'file' | 'line' | 'column'>;

const PLACE = /(?<![\w:/.-])((?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.[cm]?[jt]sx?):(\d{1,6}):(\d{1,6})(?!\d)/g;

/** A stack in pieces: texts, and places in the source of the bot. */
export function toPieces(stack: string): (string | SourcePlace)[] {
  const pieces: (string | SourcePlace)[] = [];
  let from = 0;
  for (const { 0: whole, 1: file = '', 2: line, 3: column, index } of stack.matchAll(PLACE)) {
    if (index > from) pieces.push(stack.slice(from, index));
    pieces.push({ file, line: Number(line), column: Number(column) });
    from = index + whole.length;
  }
  return from < stack.length ? [...pieces, stack.slice(from)] : pieces;
}

export function formatPlace({ file, line, column }: SourcePlace): string {
  return `${file}:${line}:${column}`;
}

/** Undefined for what `formatPlace` has not written. */
export function parsePlace(text: string): SourcePlace | undefined {
  const [piece, ...more] = toPieces(text);
  return typeof piece === 'object' && more.length === 0 ? piece : undefined;
}
