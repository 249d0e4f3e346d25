import papa from 'papaparse';

const SEPARATORS = [',', ';', '\t'];

/**
 * RFC 4180, read leniently: CRLF or LF, a byte order mark, and ";" or tab as spreadsheets of some countries write them. Rows of
 * cells; empty lines are left out. A quote that is never closed ends with the text.
 */
export function parseCsv(text: string): string[][] {
  const { data } = papa.parse<string[]>(text, {
    delimiter: guessSeparator(text),
    // With CRLF the CR is trimmed away: one text may hold both.
    newline: '\n',
    skipEmptyLines: 'greedy',
    transform: (cell) => cell.trim(),
  });
  return data;
}

/** By the first line alone: prose in later cells has commas too. */
function guessSeparator(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return papa.parse(line, { delimitersToGuess: SEPARATORS }).meta.delimiter;
}
