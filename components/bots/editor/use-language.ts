'use client';
import type { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { BotFile } from '#lib/protocol/bots/files.ts';
import { type LanguageState, type RemoteLanguage, startLanguage } from './language/start-language.ts';
import { checkTypes } from './type-support.ts';

/** So long after the last change all files are looked at. */
const SURVEY_MS = 700;

export type LanguageOptions = {
  /** The file that is open. */
  filename: string;
  /** All of the bot's; none where the open one is all that is known. */
  files: readonly BotFile[];
  isOn: boolean;
  onSurvey: ((problems: Record<string, number>) => void) | undefined;
};

/** The language service of an editor that is on the page, from when it is there until it goes; `retry` starts it anew. */
export function useLanguage(view: RefObject<EditorView | undefined>, options: LanguageOptions) {
  const { filename, files, isOn, onSurvey } = options;
  const [state, setState] = useState<LanguageState>('loading');
  const [attempt, setAttempt] = useState(0);
  const remote = useRef<RemoteLanguage>(undefined);
  const latest = useRef(options);
  const told = useRef(onSurvey);
  // Before all that asks: no question finds the files of before.
  useEffect(() => {
    latest.current = options;
    told.current = onSurvey;
    remote.current?.sync(files, filename);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another service.
  useEffect(() => {
    if (!isOn) return;
    setState('loading');
    const started = startLanguage((next) => {
      setState(next);
      if (next !== 'ready') return;
      started.sync(latest.current.files, latest.current.filename);
      if (view.current) void checkTypes(view.current, { language: () => started, file: latest.current.filename });
    });
    remote.current = started;
    return () => {
      remote.current = undefined;
      started.stop();
    };
  }, [isOn, attempt, view]);

  const wasMany = useRef(false);
  useEffect(() => {
    wasMany.current ||= files.length > 1;
    if (state !== 'ready' || !wasMany.current) return;
    const timer = setTimeout(async () => {
      const { filename: open, files: now } = latest.current;
      // Another file is gone, or has another name: that may be wrong here.
      if (view.current) await checkTypes(view.current, { language: () => remote.current, file: open });
      const text = now.find((file) => file.filename === open)?.content;
      const found = text === undefined ? undefined : await remote.current?.ask(open, text, { kind: 'survey' });
      if (found) told.current?.(found);
    }, SURVEY_MS);
    return () => clearTimeout(timer);
  }, [state, files, view]);

  return { state, language: () => remote.current, retry: () => setAttempt((count) => count + 1) };
}
