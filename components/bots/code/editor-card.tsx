'use client';
import { FileCode2 } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import type { VersionSource } from '#lib/protocol/bots/bot-versions.ts';
import { CodeSkeleton, LazyCode } from './lazy-code.tsx';
import type { BotEditor } from './use-bot-editor.ts';

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

export type EditorCardProps = {
  editor: BotEditor;
  live: number | null | undefined;
  /** What runs, where it was deployed past this draft. */
  elsewhere?: VersionSource;
};

/** The draft. Errors of the last deploy stand in the gutter, and in words below. */
export function EditorCard({ editor, live, elsewhere }: EditorCardProps) {
  const { filename, errors } = editor;
  const others = editor.program.files;
  return (
    <Card className="flex h-[60dvh] min-h-80 flex-col overflow-hidden lg:h-[38rem]">
      <div className="flex h-11 shrink-0 items-center gap-2 border-line border-b bg-sunken/60 px-4">
        <FileCode2 className="size-4 text-muted" aria-hidden="true" />
        <h2 className="font-medium font-mono text-[0.8125rem]">{filename}</h2>
        {others ? (
          <p className="truncate text-muted text-xs">
            with {others.length === 1 ? 'one more file' : `${others.length} more files`} of version {live}
          </p>
        ) : null}
        <p role="status" className="ml-auto truncate text-muted text-xs">
          {toState(editor)}
        </p>
      </div>
      <div aria-busy={editor.saving || editor.deploying || undefined} className="min-h-0 flex-1">
        {editor.ready ? (
          <LazyCode
            label={`Source code, ${filename}. Escape, then Tab leaves the editor.`}
            code={editor.code}
            filename={filename}
            onChange={editor.change}
            errors={errors}
          />
        ) : (
          <CodeSkeleton />
        )}
      </div>
      {errors.length > 0 ? (
        <Alert
          tone="danger"
          title={toErrorTitle(errors.length, live)}
          className="max-h-40 overflow-y-auto rounded-none"
        >
          <ul>
            {errors.map((error) => (
              <li key={`${error.line}:${error.column}:${error.text}`}>
                <span className="font-mono text-xs">
                  {error.line}:{error.column}
                </span>{' '}
                {error.text}
              </li>
            ))}
          </ul>
        </Alert>
      ) : elsewhere ? (
        <Alert
          tone="warn"
          title={`Version ${elsewhere.number}, which is live, was deployed from elsewhere`}
          className="shrink-0 rounded-none"
        >
          <p>This draft is not what runs, and was not made from it.</p>
          <Button size="sm" className="mt-2" onClick={() => editor.takeLive(elsewhere)}>
            Edit the live code
          </Button>
        </Alert>
      ) : null}
    </Card>
  );
}

function toState({ ready, saving, dirty, savedAt, from }: BotEditor): string {
  if (!ready) return '';
  if (saving) return 'Saving…';
  if (dirty) return 'Unsaved changes';
  if (from !== undefined) return `Version ${from}, which is live`;
  return savedAt ? `Draft saved ${clock.format(savedAt)}` : 'No unsaved changes';
}

function toErrorTitle(count: number, live: number | null | undefined): string {
  const still = live ? ` Version ${live} stays live.` : '';
  return `${count === 1 ? 'This does not compile.' : `${count} errors. This does not compile.`}${still}`;
}
