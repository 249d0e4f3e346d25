/** Enough of an id to tell it from its neighbours: its end, since ids begin with the time at which they were made. */
export function shortId(id: string): string {
  return id.length > 12 ? `…${id.slice(-8)}` : id;
}
