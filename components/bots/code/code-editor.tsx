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
import { EditorState, type Extension, Transaction } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, type ViewUpdate } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import { type CompileError, toRange } from '#lib/client/bots/compile-errors.ts';
import type { BotFile } from '#lib/protocol/bots/files.ts';
import type { RemoteLanguage } from '../editor/language/start-language.ts';
import { LanguageBar } from '../editor/language-bar.tsx';
import { checkTypes, TYPES, typeSupport, typeTheme } from '../editor/type-support.ts';
import { useLanguage } from '../editor/use-language.ts';
import { codeTheme } from './code-theme.ts';

export type CodeEditorProps = {
  /** Names it to assistive technology. */
  label: string;
  code: string;
  /** Its name, by which TypeScript is told from JavaScript. Each has a way back (undo) of its own. */
  filename?: string;
  /** Without it the text can be read and copied, not changed. */
  onChange?: (code: string) => void;
  /** Marked in the gutter and underlined. */
  errors?: readonly CompileError[];
  /** Scrolled to, and gets the focus. */
  place?: CompileError;
  /** All of the bot's, this one as well. */
  files?: readonly BotFile[];
  /** How much the types say is wrong in each file, of a bot that is many. */
  onSurvey?: (problems: Record<string, number>) => void;
};

const NO_ERRORS: readonly CompileError[] = [];
const NO_FILES: readonly BotFile[] = [];
const DEPLOY = 'Deploy';

/**
 * TypeScript in CodeMirror. Tab indents; Esc and then Tab leaves (WCAG 2.1.2). Only the browser loads it, with the first page that
 * shows code. What can be changed has the language service beside it, in a worker.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { label, code, filename = 'index.ts', onChange, errors = NO_ERRORS, place, files = NO_FILES, onSurvey } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const isReadOnly = !onChange;
  const { state, language, retry } = useLanguage(view, { filename, files, isOn: !isReadOnly, onSurvey });
  const [problems, setProblems] = useState(0);
  const report = useRef(onChange);
  useEffect(() => {
    report.current = onChange;
  });

  const begin = useRef((start: Omit<Start, 'isReadOnly' | 'language' | 'onUpdate'>) =>
    EditorState.create({
      doc: start.code,
      extensions: extensions({
        ...start,
        ...{ isReadOnly, language },
        onUpdate: ({ docChanged, state, transactions }) => {
          const isTyped = !transactions.some((transaction) => transaction.annotation(Transaction.remote));
          if (docChanged && isTyped) report.current?.(state.doc.toString());
          setProblems(countProblems(state));
        },
      }),
    }),
  );
  const start = useRef({ label, code, filename });
  useEffect(() => {
    const editor = new EditorView({ parent: host.current!, state: begin.current(start.current) });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  // Another file: its own text, caret and way back, as they were left.
  const left = useRef({ filename, states: new Map<string, EditorState>() });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text of the same file is not another file.
  useEffect(() => {
    const { filename: before, states } = left.current;
    if (before === filename) return;
    states.set(before, view.current!.state);
    left.current.filename = filename;
    const state = states.get(filename) ?? begin.current({ label, code, filename });
    view.current!.setState(state);
    setProblems(countProblems(state));
    void checkTypes(view.current!, { language, file: filename });
  }, [filename]);

  // Another text from outside: someone else's draft, an older version. Nobody typed it, and the editor ends all lines alike.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what another file was left with may be older than it is.
  useEffect(() => {
    const { state, dispatch } = view.current!;
    if (state.doc.toString() === code.replace(/\r\n?/g, '\n')) return;
    const changes = { from: 0, to: state.doc.length, insert: code };
    dispatch.call(view.current, { changes, annotations: Transaction.remote.of(true) });
  }, [code, filename]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: those of another file are others.
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
  }, [errors, filename]);

  useEffect(() => {
    if (!place) return;
    const { from } = toRange(view.current!.state.doc.toString(), place);
    view.current!.dispatch({
      selection: { anchor: from },
      effects: EditorView.scrollIntoView(from, { y: 'center' }),
    });
    view.current!.focus();
  }, [place]);

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

type Start = {
  label: string;
  code: string;
  filename: string;
  isReadOnly: boolean;
  language: () => RemoteLanguage | undefined;
  onUpdate: (update: ViewUpdate) => void;
};

const CODE = /\.[cm]?[jt]sx?$/;

function extensions({ label, isReadOnly, filename, language, onUpdate }: Start): Extension {
  return [
    EditorView.updateListener.of(onUpdate),
    lineNumbers(),
    isReadOnly ? EditorState.readOnly.of(true) : [lintGutter(), highlightActiveLine()],
    isReadOnly || !CODE.test(filename) ? [] : typeSupport({ language, file: filename }),
    isReadOnly ? [] : typeTheme,
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    CODE.test(filename) || filename.endsWith('.json') ? javascript({ typescript: true }) : [],
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
