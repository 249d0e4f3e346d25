'use client';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { type CompileError, toRange } from '#lib/client/bots/compile-errors.ts';
import { codeTheme } from './code-theme.ts';

export type CodeEditorProps = {
  /** Names it to assistive technology. */
  label: string;
  code: string;
  /** Without it the text can be read and copied, not changed. */
  onChange?: (code: string) => void;
  /** Marked in the gutter and underlined; the first one is scrolled to and gets the focus. */
  errors?: readonly CompileError[];
};

const NO_ERRORS: readonly CompileError[] = [];

/**
 * TypeScript in CodeMirror. Tab indents; Esc and then Tab leaves (WCAG 2.1.2). Only the browser loads it, with the first page that
 * shows code.
 */
export function CodeEditor({ label, code, onChange, errors = NO_ERRORS }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const start = useRef({ label, code, isReadOnly: !onChange });
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
    }));
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
    const [first] = diagnostics;
    if (!first) return;
    editor.dispatch({
      selection: { anchor: first.from },
      effects: EditorView.scrollIntoView(first.from, { y: 'center' }),
    });
    editor.focus();
  }, [errors]);

  return <div ref={host} className="h-full" />;
}

function extensions({ label, isReadOnly }: { label: string; isReadOnly: boolean }): Extension {
  return [
    lineNumbers(),
    isReadOnly ? EditorState.readOnly.of(true) : [lintGutter(), highlightActiveLine()],
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
