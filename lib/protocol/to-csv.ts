import papa from 'papaparse';

/**
 * Excel, Sheets and LibreOffice run a cell that begins like this as a formula (OWASP, CSV injection). Apostrophes before
 * it count too, so that the one we add can be told from the text's own.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** RFC 4180, with a header and CRLF. A cell that a spreadsheet would run is kept as text by an apostrophe before it. */
export function toCsv(
  header: readonly string[],
  rows: readonly (readonly (string | number | null | undefined)[])[],
): string {
  return toCsvRows([header, ...rows]);
}

/** As `toCsv`, of what follows the header, piece by piece; nothing for no rows. */
export function toCsvRows(rows: readonly (readonly (string | number | null | undefined)[])[]): string {
  if (rows.length === 0) return '';
  return `${papa.unparse([...rows] as unknown[][], { escapeFormulae: FORMULA, newline: '\r\n' })}\r\n`;
}
