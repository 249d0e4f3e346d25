export const RAIL_COOKIE = 'rail';

const YEAR_SECONDS = 31_536_000;

/** Whether the rail is shown as icons only. Anything unknown is the wide rail. */
export function toRailNarrow(cookie: string | undefined): boolean {
  return cookie === 'narrow';
}

/** Kept in a cookie, which the server reads so that the next page stands still. */
export function keepRailNarrow(narrow: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http.
  document.cookie = `${RAIL_COOKIE}=narrow; path=/; max-age=${narrow ? YEAR_SECONDS : 0}; samesite=lax`;
}
