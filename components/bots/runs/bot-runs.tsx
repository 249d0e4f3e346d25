'use client';
import dynamic from 'next/dynamic';
import { useRef } from 'react';
import { useRowKeys } from '#components/frame/use-row-keys.ts';
import { RunsList } from '#components/runs/runs-list.tsx';
import { RunsToolbar } from '#components/runs/runs-toolbar.tsx';
import { useRunSearch } from '#components/runs/use-run-search.ts';
import { SheetLoading } from '#components/ui/overlay/loading.tsx';

const RunSheet = dynamic(() => import('../run/sheet.tsx').then((module) => module.RunSheet), {
  ssr: false,
  loading: SheetLoading,
});

/** The runs of one bot, newest first. */
export function BotRuns({ projectId, botId }: { projectId: string; botId: string }) {
  const { search, run: chosen, change, sheet, text, setText, narrowed, clear } = useRunSearch(botId);
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, { peek: sheet.open });
  const view = { projectId, search, text, ofOne: true } as const;
  return (
    <div ref={area}>
      <RunsToolbar {...view} change={change} onText={setText} onClear={narrowed ? clear : undefined} tab="runs" />
      <RunsList {...view} narrowed={narrowed} onClear={clear} onOpen={sheet.open} />
      {chosen ? <RunSheet projectId={projectId} runId={chosen} onTurn={sheet.turn} onClose={sheet.close} /> : null}
    </div>
  );
}
