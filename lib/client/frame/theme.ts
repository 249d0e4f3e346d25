export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const THEME_COOKIE = 'theme';

const YEAR_SECONDS = 31_536_000;

/** The theme cookie's value as a theme; anything unknown is the system's choice. */
export function toTheme(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? 'system';
}

const listeners = new Set<() => void>();

/** Calls `changed` with every change of the theme on this page, until the returned function is called. */
export function watchTheme(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** Shows a theme now and keeps it in a cookie, which the server reads so that the next page never flashes. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http.
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${theme === 'system' ? 0 : YEAR_SECONDS}; samesite=lax`;
  for (const changed of listeners) changed();
}

export function readTheme(): Theme {
  return toTheme(document.documentElement.dataset.theme);
}
