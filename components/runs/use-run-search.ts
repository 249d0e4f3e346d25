'use client';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useUrlSheet } from '#components/frame/use-url-sheet.ts';
import { CAUSES, type RunSearch, STATUSES, WINDOWS } from '#lib/client/bots/run-search.ts';

const parsers = {
  bot: parseAsString.withDefault(''),
  status: parseAsStringLiteral(STATUSES).withDefault('any'),
  trigger: parseAsStringLiteral(CAUSES).withDefault('any'),
  window: parseAsStringLiteral(WINDOWS).withDefault('any'),
  run: parseAsString,
};

/** The view as the URL says it; `run` is the one that is open. */
export function useRunSearch() {
  const [{ run, ...search }, setView] = useQueryStates(parsers, { history: 'push' });
  const change = (next: Partial<RunSearch>) => void setView({ ...next, run: null });
  const sheet = useUrlSheet<string>((id, options) => setView({ run: id }, options));
  const clear = () => void setView(null);
  const filtered = Object.values(search).some((value) => value !== '' && value !== 'any');
  return { search, run, change, sheet, clear, filtered };
}
