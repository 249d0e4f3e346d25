/** Where nobody moved the border: 60 % of the width is the code's. */
export const USUAL_WIDTH = 60;
export const WIDTH_COOKIE = 'editor-width';

const YEAR_SECONDS = 31_536_000;

/** The cookie's value as percent; whatever is none is the usual. */
export function toWidth(value: string | undefined): number {
  return value && /^\d{1,2}$/.test(value) ? Number(value) : USUAL_WIDTH;
}

/** Kept in a cookie, which the server reads, so that the next page opens as this one was left. */
export function keepWidth(percent: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http.
  document.cookie = `${WIDTH_COOKIE}=${Math.round(percent)}; path=/p; max-age=${YEAR_SECONDS}; samesite=lax`;
}
