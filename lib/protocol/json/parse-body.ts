import { parseJson } from './json.ts';
import { parseInTurns } from './parse-in-turns.ts';
import { MOST_VALUES } from './refuse-many-values.ts';
import type { ScanOptions } from './scan.ts';

/** Characters from which a body is parsed in turns. What is no longer has fewer values than any bound. */
const LONG = 250_000;

/** As parseJson, of what somebody sends, whatever its length: with a bound on its values, and on those `ofEach` item of a list. Throws 400. */
export async function parseBody(
  text: string,
  { most = MOST_VALUES, ofEach }: Pick<ScanOptions, 'most' | 'ofEach'> = {},
): Promise<unknown> {
  return text.length > LONG ? parseInTurns(text, { most, ofEach }) : parseJson(text);
}
