'use client';
import { standardKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { codeTheme } from '../code/code-theme.ts';

export type CodeDiffProps = {
  /** Names it to assistive technology. */
  label: string;
  before: string;
  after: string;
};

/** What became of one text in another, in one column: taken out above what came in its place. To be read and copied. */
export function CodeDiff({ label, before, after }: CodeDiffProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const view = new EditorView({
      parent: host.current!,
      doc: after,
      extensions: [
        lineNumbers(),
        EditorState.readOnly.of(true),
        keymap.of(standardKeymap),
        javascript({ typescript: true }),
        codeTheme,
        look,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label }),
        unifiedMergeView({
          original: before,
          mergeControls: false,
          gutter: true,
          collapseUnchanged: { margin: 3, minSize: 6 },
          diffConfig: { scanLimit: 2000, timeout: 1000 },
        }),
      ],
    });
    return () => view.destroy();
  }, [label, before, after]);
  return <div ref={host} className="h-full" />;
}

// Signs beside the colours: who does not tell these apart reads a plus and a minus.
const look = EditorView.theme({
  // A bar and no tint: the colours of code are readable on the plain ground alone.
  '.cm-changedLine': { backgroundColor: 'transparent !important', boxShadow: 'inset 2px 0 var(--good)' },
  '.cm-deletedChunk': {
    backgroundColor: 'transparent !important',
    boxShadow: 'inset 2px 0 var(--danger)',
    paddingLeft: '0.5rem',
  },
  '.cm-deletedChunk .cm-deletedLine': { position: 'relative', color: 'var(--ink)' },
  '.cm-deletedChunk .cm-deletedLine::before': { content: '"− "', color: 'var(--danger-text)' },
  '.cm-changedLine::before': { content: '"+ "', color: 'var(--good-text)' },
  '.cm-changedText': { background: 'none !important', fontWeight: '600' },
  '.cm-deletedText': { background: 'none !important', fontWeight: '600' },
  '.cm-collapsedLines': {
    color: 'var(--muted)',
    background: 'var(--sunken)',
    padding: '2px 12px',
  },
});
