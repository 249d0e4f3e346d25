'use client';
import { useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { CodeSkeleton } from '#components/bots/code/lazy-code.tsx';
import { Button } from '#components/ui/button.tsx';
import { cn } from '#components/ui/cn.ts';
import { Card } from '#components/ui/display/card.tsx';
import { vocabularyQuery } from '#lib/client/policies/editing.ts';
import { PolicyForm } from './policy-form.tsx';
import type { PolicyEditor } from './use-policy-editor.ts';

const JsonEditor = dynamic(() => import('./json-editor.tsx').then((module) => module.JsonEditor), {
  ssr: false,
  loading: () => <CodeSkeleton />,
});

const PANES = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const;

export type EditorPanesProps = {
  projectId: string;
  /** Its reference, where it is stored. */
  own: string | undefined;
  editor: PolicyEditor;
};

/** Form and JSON of one text, side by side; one of them where there is no room for both. */
export function EditorPanes({ projectId, own, editor }: EditorPanesProps) {
  const [pane, setPane] = useState<'form' | 'json'>('form');
  const queries = useQueryClient();
  const { issues, policy } = editor;
  return (
    <>
      <fieldset aria-label="How it is shown" className="mb-3 flex gap-1 lg:hidden">
        {PANES.map(({ value, label }) => (
          <Button
            key={value}
            size="sm"
            variant={pane === value ? 'secondary' : 'ghost'}
            aria-pressed={pane === value}
            onClick={() => setPane(value)}
          >
            {label}
          </Button>
        ))}
      </fieldset>
      <Findings editor={editor} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-2">
        <section aria-label="Form" className={cn('min-w-0', pane !== 'form' && 'max-lg:hidden')}>
          {policy ? (
            <PolicyForm
              projectId={projectId}
              own={own}
              policy={policy}
              issues={issues}
              onChange={editor.changePolicy}
            />
          ) : (
            <Card className="p-4 text-muted">
              The form waits until the JSON is a policy again. Nothing that was typed is lost.
            </Card>
          )}
        </section>
        <section aria-label="JSON" className={cn('min-w-0', pane !== 'json' && 'max-lg:hidden')}>
          <Card className="h-[70dvh] min-h-96 overflow-hidden lg:sticky lg:top-4">
            <JsonEditor
              text={editor.text}
              onChange={editor.change}
              issues={issues}
              vocabulary={(type) => queries.fetchQuery(vocabularyQuery(projectId, type)).catch(() => undefined)}
            />
          </Card>
        </section>
      </div>
    </>
  );
}

/** What would refuse a save, in words: a screen reader hears when that changes. */
function Findings({ editor: { issues, checking } }: { editor: PolicyEditor }) {
  const [first] = issues;
  return (
    <p role="status" className={cn('mb-3 min-h-5 text-[0.8125rem]', first ? 'text-danger-text' : 'text-muted')}>
      {first
        ? `${first.expression ? `${first.expression}: ` : ''}${first.text}${issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''}`
        : checking
          ? 'Checking…'
          : 'The server would take it.'}
    </p>
  );
}
