'use client';
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useState } from 'react';
import { useUrlSheet } from '#components/frame/use-url-sheet.ts';
import { CAUSES, type RunSearch, STATUSES, WINDOWS } from '#lib/client/bots/run-search.ts';

const parsers = {
  bot: parseAsString.withDefault(''),
  version: parseAsInteger,
  status: parseAsStringLiteral(STATUSES).withDefault('any'),
  trigger: parseAsStringLiteral(CAUSES).withDefault('any'),
  window: parseAsStringLiteral(WINDOWS).withDefault('any'),
  fingerprint: parseAsString.withDefault(''),
  run: parseAsString,
  tab: parseAsStringLiteral(['runs', 'errors', 'charts']).withDefault('runs'),
};

/**
 * The view as the URL says it, but for the text that inputs hold: that may be somebody's name. `run` is the one that is open. `bot`: on the page of one bot,
 * which is not a filter there.
 */
export function useRunSearch(bot?: string) {
  const [{ run, tab, ...view }, setView] = useQueryStates(parsers, { history: 'push' });
  const [text, setText] = useState('');
  const search = { ...view, bot: bot ?? view.bot };
  const change = (next: Partial<RunSearch>) => void setView({ ...next, run: null });
  const sheet = useUrlSheet<string>((id, options) => setView({ run: id }, options));
  const turn = (next: typeof tab) => void setView({ tab: next, run: null });
  const clear = () => {
    setText('');
    void setView({ bot: null, version: null, status: null, trigger: null, window: null, fingerprint: null, run: null });
  };
  const narrowing = Object.values({ ...search, bot: bot === undefined ? search.bot : '' });
  const narrowed = text !== '' || narrowing.some((value) => value !== '' && value !== 'any' && value !== null);
  return { search, run, tab, turn, change, sheet, text, setText, narrowed, clear };
}
