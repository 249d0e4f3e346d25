import { AppError } from '#lib/base/errors.ts';
import { takeTurns } from '#lib/base/turns.ts';
import { parseKept } from './json.ts';
import { type List, openScan, type ScanOptions, unparsable } from './scan.ts';

/** A few milliseconds each. */
const STEPS = 5000;
const PIECE = 64 * 1024;

/**
 * As `parseJson`, of a text that is long: others come first every now and then. What stands in lists of the outermost object, which is what makes
 * any resource long, is parsed in pieces. `turn` is called between two of them.
 */
export async function parseInTurns(
  text: string,
  { piece = PIECE, ...bounds }: ScanOptions = {},
  turn = takeTurns(),
): Promise<unknown> {
  try {
    const scan = openScan(text, { piece, ...bounds });
    while (scan.goOn(STEPS)) await turn();
    return await parsePieces(text, scan.lists, turn);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw unparsable('it is not valid JSON', cause);
  }
}

async function parsePieces(text: string, lists: readonly List[], turn: () => Promise<void> | undefined) {
  const long = lists.filter(({ cuts, end }) => cuts.length > 0 && end >= 0);
  let rest = '';
  let from = 0;
  for (const { start, end } of long) {
    rest += text.slice(from, start);
    from = end;
  }
  const whole = parseKept(rest + text.slice(from)) as Record<string, unknown[]>;
  for (const { key, start, end, cuts } of long) {
    const items = whole[key]!;
    for (const [at, cut] of [...cuts, end].entries()) {
      await turn();
      const part = text.slice(at === 0 ? start : cuts[at - 1]! + 1, cut);
      if (part.trim() === '') throw new SyntaxError('There is nothing between two commas');
      for (const item of parseKept(`[${part}]`) as unknown[]) items.push(item);
    }
  }
  return whole;
}
