'use client';
import { FileCode2, FilePlus2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useMemo, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { Tooltip } from '#components/ui/overlay/tooltip.tsx';
import { contentOf, withContent } from '#lib/client/bots/files/program.ts';
import type { VersionSource } from '#lib/protocol/bots/bot-versions.ts';
import type { Doing } from '../files/file-dialog.tsx';
import { CompileErrors } from './compile-errors.tsx';
import { CodeSkeleton, LazyCode } from './lazy-code.tsx';
import type { BotEditor } from './use-bot-editor.ts';

const FilesPanel = dynamic(() => import('../files/files-panel.tsx').then((module) => module.FilesPanel), {
  ssr: false,
});
const FileDialog = dynamic(() => import('../files/file-dialog.tsx').then((module) => module.FileDialog), {
  ssr: false,
  loading: DialogLoading,
});

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const NO_PROBLEMS: Record<string, number> = {};

export type EditorCardProps = {
  editor: BotEditor;
  live: number | null | undefined;
  /** What runs, where it was deployed past this draft. */
  elsewhere?: VersionSource;
};

/** The draft: its files, and the one that is open. Errors of the last deploy stand in the gutter, and in words below. */
export function EditorCard({ editor, live, elsewhere }: EditorCardProps) {
  const { files, active, errors } = editor;
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const [doing, setDoing] = useState<Doing>();
  const isMany = files.all.length > 1;
  // Of one file all errors are its own, whatever they call it.
  const here = useMemo(
    () => (isMany ? errors.filter(({ file }) => file === active) : errors),
    [isMany, errors, active],
  );
  const code = useRef<HTMLDivElement>(null);
  const takeLive = (version: VersionSource) => {
    editor.takeLive(version);
    // The button goes with what it was offered for.
    code.current?.querySelector<HTMLElement>('[role=textbox]')?.focus({ preventScroll: true });
  };
  const write = (code: string) => {
    const next = withContent(files, active, code);
    if (next !== files) editor.change(next);
  };
  return (
    <Card className="flex h-[60dvh] min-h-80 flex-col overflow-hidden lg:h-[38rem]">
      <div className="flex h-11 shrink-0 items-center gap-2 border-line border-b bg-sunken/60 px-4">
        <FileCode2 className="size-4 shrink-0 text-muted" aria-hidden="true" />
        <h2 className="min-w-0 truncate font-medium font-mono text-[0.8125rem]">{active}</h2>
        {isMany ? null : (
          <Tooltip text="Add a file">
            <Button
              size="icon-sm"
              variant="ghost"
              aria-label="Add a file"
              disabled={!editor.ready}
              onClick={() => setDoing({ what: 'add', name: '' })}
            >
              <FilePlus2 aria-hidden="true" />
            </Button>
          </Tooltip>
        )}
        <p role="status" className="ml-auto truncate text-muted text-xs">
          {toState(editor)}
        </p>
      </div>
      <div className="flex min-h-0 flex-1 flex-col sm:flex-row">
        {isMany ? (
          <section
            aria-label="Files"
            className="flex h-36 shrink-0 flex-col border-line max-sm:border-b sm:h-auto sm:w-52 sm:border-r"
          >
            <FilesPanel editor={editor} problems={problems} onDo={setDoing} />
          </section>
        ) : null}
        <div ref={code} aria-busy={editor.saving || editor.deploying || undefined} className="min-h-0 min-w-0 flex-1">
          {editor.ready ? (
            <LazyCode
              label={`Source code, ${active}. Escape, then Tab leaves the editor.`}
              code={contentOf(files, active) ?? ''}
              filename={active}
              files={files.all}
              onChange={write}
              onSurvey={setProblems}
              errors={here}
              place={editor.place}
            />
          ) : (
            <CodeSkeleton />
          )}
        </div>
      </div>
      {editor.tooMuch ? (
        <Alert tone="danger" title="The server would not take this" className="shrink-0 rounded-none">
          {editor.tooMuch}
        </Alert>
      ) : errors.length > 0 ? (
        <CompileErrors errors={errors} isMany={isMany} live={live} onShow={editor.show} />
      ) : elsewhere ? (
        <Alert
          tone="warn"
          title={`Version ${elsewhere.number}, which is live, was deployed from elsewhere`}
          className="shrink-0 rounded-none"
        >
          <p>This draft is not what runs, and was not made from it.</p>
          <Button size="sm" className="mt-2" onClick={() => takeLive(elsewhere)}>
            Edit the live code
          </Button>
        </Alert>
      ) : null}
      {doing ? <FileDialog editor={editor} doing={doing} onClose={() => setDoing(undefined)} /> : null}
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
