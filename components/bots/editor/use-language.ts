'use client';
import type { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type LanguageState, type RemoteLanguage, startLanguage } from './language/start-language.ts';
import { checkTypes } from './type-support.ts';

/** The language service of an editor that is on the page, from when it is there until it goes; `retry` starts it anew. */
export function useLanguage(view: RefObject<EditorView | undefined>, file: string, isOn: boolean) {
  const [state, setState] = useState<LanguageState>('loading');
  const [attempt, setAttempt] = useState(0);
  const remote = useRef<RemoteLanguage>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another service.
  useEffect(() => {
    if (!isOn) return;
    setState('loading');
    const started = startLanguage((next) => {
      setState(next);
      if (next === 'ready' && view.current) void checkTypes(view.current, { language: () => started, file });
    });
    remote.current = started;
    return () => {
      remote.current = undefined;
      started.stop();
    };
  }, [isOn, attempt, view, file]);

  return { state, language: () => remote.current, retry: () => setAttempt((count) => count + 1) };
}
