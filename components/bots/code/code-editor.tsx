'use client';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import {
  type Diagnostic,
  forEachDiagnostic,
  lintGutter,
  lintKeymap,
  openLintPanel,
  setDiagnostics,
} from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import { type CompileError, toRange } from '#lib/client/bots/compile-errors.ts';
import type { RemoteLanguage } from '../editor/language/start-language.ts';
import { LanguageBar } from '../editor/language-bar.tsx';
import { TYPES, typeSupport, typeTheme } from '../editor/type-support.ts';
import { useLanguage } from '../editor/use-language.ts';
import { codeTheme } from './code-theme.ts';

export type CodeEditorProps = {
  /** Names it to assistive technology. */
  label: string;
  code: string;
  /** Its name, by which TypeScript is told from JavaScript. */
  filename?: string;
  /** Without it the text can be read and copied, not changed. */
  onChange?: (code: string) => void;
  /** Marked in the gutter and underlined; the first one is scrolled to and gets the focus. */
  errors?: readonly CompileError[];
};

const NO_ERRORS: readonly CompileError[] = [];
const DEPLOY = 'Deploy';

/**
 * TypeScript in CodeMirror. Tab indents; Esc and then Tab leaves (WCAG 2.1.2). Only the browser loads it, with the first page that
 * shows code. What can be changed has the language service beside it, in a worker.
 */
export function CodeEditor({ label, code, filename = 'index.ts', onChange, errors = NO_ERRORS }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const isReadOnly = !onChange;
  const { state, language, retry } = useLanguage(view, filename, !isReadOnly);
  const [problems, setProblems] = useState(0);
  const start = useRef({ label, code, isReadOnly, filename, language });
  const report = useRef(onChange);
  useEffect(() => {
    report.current = onChange;
  });

  useEffect(() => {
    const editor = new EditorView({
      parent: host.current!,
      doc: start.current.code,
      extensions: [
        extensions(start.current),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) report.current?.(update.state.doc.toString());
          setProblems(countProblems(update.state));
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  // Another text from outside: someone else's draft, an older version.
  useEffect(() => {
    const { state, dispatch } = view.current!;
    if (state.doc.toString() === code) return;
    dispatch.call(view.current, { changes: { from: 0, to: state.doc.length, insert: code } });
  }, [code]);

  useEffect(() => {
    const editor = view.current!;
    const text = editor.state.doc.toString();
    const diagnostics = errors.map((error) => ({
      ...toRange(text, error),
      severity: 'error' as const,
      message: error.text,
      source: DEPLOY,
    }));
    const ofTypes: Diagnostic[] = [];
    forEachDiagnostic(editor.state, (diagnostic, from, to) => {
      if (diagnostic.source === TYPES) ofTypes.push({ ...diagnostic, from, to });
    });
    editor.dispatch(setDiagnostics(editor.state, [...diagnostics, ...ofTypes]));
    const [first] = diagnostics;
    if (!first) return;
    editor.dispatch({
      selection: { anchor: first.from },
      effects: EditorView.scrollIntoView(first.from, { y: 'center' }),
    });
    editor.focus();
  }, [errors]);

  return (
    <div className="flex h-full flex-col">
      <div ref={host} className="min-h-0 flex-1" />
      {isReadOnly ? null : (
        <LanguageBar
          state={state}
          problems={problems}
          onShow={() => {
            if (view.current) openLintPanel(view.current);
          }}
          onRetry={retry}
        />
      )}
    </div>
  );
}

function countProblems(state: EditorState): number {
  let count = 0;
  forEachDiagnostic(state, ({ source }) => {
    if (source === TYPES) count += 1;
  });
  return count;
}

type Start = { label: string; isReadOnly: boolean; filename: string; language: () => RemoteLanguage | undefined };

function extensions({ label, isReadOnly, filename, language }: Start): Extension {
  return [
    lineNumbers(),
    isReadOnly ? EditorState.readOnly.of(true) : [lintGutter(), highlightActiveLine()],
    isReadOnly ? [] : [typeSupport({ language, file: filename }), typeTheme],
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    javascript({ typescript: true }),
    codeTheme,
    keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap, ...(isReadOnly ? [] : [indentWithTab])]),
    EditorView.contentAttributes.of({
      'aria-label': label,
      tabindex: '0',
      spellcheck: 'false',
      autocorrect: 'off',
      autocapitalize: 'off',
    }),
  ];
}
