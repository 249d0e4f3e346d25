/** Where a list that is ordered by time goes on: after this row. */
export type Cursor = { at: Date; id: string };

/** Opaque to callers; stable while rows are added. */
export function formatCursor({ at, id }: Cursor): string {
  return btoa(`${at.toISOString()} ${id}`).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Undefined for what `formatCursor` has not made. */
export function parseCursor(text: string): Cursor | undefined {
  const [, time = '', id] = /^(\d{4}-\S{18}Z) ([0-9a-f-]{36})$/.exec(decode(text)) ?? [];
  const at = new Date(time);
  return id && isStorable(at) ? { at, id } : undefined;
}

/** PostgreSQL has no year 0, and does not read a year of five digits as ISO 8601 writes it: 9999-12-31T23:59-01:00 is in one. */
export function isStorable(at: Date): boolean {
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

function decode(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
