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

/** PostgreSQL has no year 0. */
export function isStorable(at: Date): boolean {
  return at.getUTCFullYear() >= 1;
}

function decode(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
