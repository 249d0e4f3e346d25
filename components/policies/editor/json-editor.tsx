'use client';
import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascriptLanguage } from '@codemirror/lang-javascript';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { codeTheme } from '#components/bots/code/code-theme.ts';
import type { ApiIssue } from '#lib/client/api/api-error.ts';
import { locate } from '#lib/client/policies/locate.ts';
import { type AskVocabulary, completePolicy } from './complete-policy.ts';

export type JsonEditorProps = {
  text: string;
  onChange: (text: string) => void;
  issues: readonly ApiIssue[];
  vocabulary: AskVocabulary;
};

/** The policy as JSON. What the server would refuse is underlined; Tab leaves the editor, which indents by itself. */
export function JsonEditor({ text, onChange, issues, vocabulary }: JsonEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef({ text, onChange, vocabulary });
  useEffect(() => {
    latest.current = { text, onChange, vocabulary };
  });
  useEffect(() => {
    const editor = new EditorView({
      parent: host.current!,
      doc: latest.current.text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        highlightActiveLine(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        javascriptLanguage.configure({ top: 'SingleExpression' }),
        codeTheme,
        EditorView.lineWrapping,
        autocompletion({
          override: [(context) => completePolicy(context, (type) => latest.current.vocabulary(type))],
          maxRenderedOptions: 60,
        }),
        keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({
          'aria-label': 'Policy as JSON',
          tabindex: '0',
          spellcheck: 'false',
          autocorrect: 'off',
          autocapitalize: 'off',
        }),
        EditorView.updateListener.of((update) => {
          const now = update.state.doc.toString();
          if (update.docChanged && now !== latest.current.text) latest.current.onChange(now);
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  // From the form, or another version.
  useEffect(() => {
    const editor = view.current!;
    if (editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  useEffect(() => {
    const editor = view.current!;
    const doc = editor.state.doc.toString();
    const diagnostics = issues.map((issue) => ({
      ...locate(doc, issue.expression),
      severity: 'error' as const,
      message: issue.text,
    }));
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [issues]);
  return <div ref={host} className="h-full" />;
}
