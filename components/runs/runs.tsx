'use client';
import dynamic from 'next/dynamic';
import { useRef } from 'react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { useRowKeys } from '#components/frame/use-row-keys.ts';
import { TabPanel, Tabs } from '#components/ui/display/tabs.tsx';
import { SheetLoading } from '#components/ui/overlay/loading.tsx';
import { warm } from '#components/ui/overlay/warm.ts';
import { RunCharts } from './charts.tsx';
import { RunErrors } from './errors.tsx';
import { RunsList } from './runs-list.tsx';
import { RunsToolbar } from './runs-toolbar.tsx';
import { useRunSearch } from './use-run-search.ts';

const RunSheet = dynamic(() => import('#components/bots/run/sheet.tsx').then((module) => module.RunSheet), {
  ssr: false,
  loading: SheetLoading,
});

const warmSheet = warm(() => import('#components/bots/run/sheet.tsx'));

const TABS = [
  { value: 'runs', label: 'All runs' },
  { value: 'errors', label: 'Errors' },
  { value: 'charts', label: 'Charts' },
] as const;

/** What the bots of this project did, newest first. */
export function Runs({ projectId }: { projectId: string }) {
  const { search, run: chosen, tab, turn, change, sheet, text, setText, narrowed, clear } = useRunSearch();
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, { peek: sheet.open });
  return (
    <div ref={area} {...warmSheet}>
      <PageHeading title="Runs">What the bots of this project did, whoever or whatever made them.</PageHeading>
      <Tabs value={tab} onValueChange={turn} label="What is shown of runs" tabs={TABS} className="mb-4">
        <TabPanel value={tab}>
          <RunsToolbar
            projectId={projectId}
            search={search}
            change={change}
            text={text}
            onText={setText}
            onClear={narrowed ? clear : undefined}
            tab={tab}
          />
          {tab === 'runs' ? (
            <RunsList
              projectId={projectId}
              search={search}
              text={text}
              narrowed={narrowed}
              onClear={clear}
              onOpen={sheet.open}
            />
          ) : tab === 'errors' ? (
            <RunErrors projectId={projectId} search={search} />
          ) : (
            <RunCharts projectId={projectId} bot={search.bot} />
          )}
        </TabPanel>
      </Tabs>
      {chosen ? <RunSheet projectId={projectId} runId={chosen} onTurn={sheet.turn} onClose={sheet.close} /> : null}
    </div>
  );
}
