/**
 * RFC 4180, read leniently: CRLF or LF, a byte order mark, and ";" or tab as spreadsheets of some countries write them. Rows of
 * cells; empty lines are left out. A quote that is never closed ends with the text.
 */
export function parseCsv(text: string): string[][] {
  const source = text.replace(/^\uFEFF/, '');
  const separator = guessSeparator(source);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endRow = () => {
    row.push(cell.trim());
    if (row.some((each) => each !== '')) rows.push(row);
    row = [];
    cell = '';
  };
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at] as string;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (source[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (char === '"' && cell.trim() === '') {
      cell = '';
      quoted = true;
    } else if (char === separator) {
      row.push(cell.trim());
      cell = '';
    } else if (char === '\n') endRow();
    else if (char !== '\r') cell += char;
  }
  endRow();
  return rows;
}

function guessSeparator(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const counts = [',', ';', '\t'].map((separator) => [line.split(separator).length, separator] as const);
  return counts.sort(([a], [b]) => b - a)[0]?.[1] ?? ',';
}
