'use client';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useUrlSheet } from '#components/frame/use-url-sheet.ts';
import type { ActivitySearch } from '#lib/client/activity/activity.ts';
import { AREAS } from '#lib/client/activity/words.ts';

const parsers = {
  area: parseAsStringLiteral(AREAS).withDefault('any'),
  outcome: parseAsStringLiteral(['any', 'success', 'failure'] as const).withDefault('any'),
  actor: parseAsString.withDefault(''),
  target: parseAsString.withDefault(''),
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  row: parseAsString,
};

/** The view as the URL says it; `row` is the entry that is open. */
export function useActivitySearch() {
  const [{ row, ...search }, setView] = useQueryStates(parsers, { history: 'push' });
  const change = (next: Partial<ActivitySearch>) => void setView({ ...next, row: null });
  const sheet = useUrlSheet<string>((id, options) => setView({ row: id }, options));
  const clear = () => void setView(null);
  const filtered = Object.values(search).some((value) => value !== '' && value !== 'any');
  return { search, row, change, open: sheet.open, close: sheet.close, clear, filtered };
}
