'use client';
import dynamic from 'next/dynamic';
import { parseAsString, parseAsStringLiteral, useQueryState } from 'nuqs';
import { useEffect, useRef, useState } from 'react';
import { setBreadcrumbLeaf } from '#components/frame/breadcrumb.tsx';
import { RunCharts } from '#components/runs/charts.tsx';
import { RunErrors } from '#components/runs/errors.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Split } from '#components/ui/display/split.tsx';
import { TabPanel, Tabs } from '#components/ui/display/tabs.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { DialogLoading, SheetLoading } from '#components/ui/overlay/loading.tsx';
import { useBot } from '#lib/client/bots/bots.ts';
import { keepWidth, USUAL_WIDTH } from '#lib/client/bots/editor-width.ts';
import { isSame, ofVersion } from '#lib/client/bots/files/program.ts';
import { useVersion, useVersions } from '#lib/client/bots/source.ts';
import { parsePlace } from '#lib/client/bots/stack-places.ts';
import { useLimited } from '#lib/client/frame/limited.ts';
import { BotVersions } from './code/bot-versions.tsx';
import { EditorCard } from './code/editor-card.tsx';
import { type BotEditor, useBotEditor } from './code/use-bot-editor.ts';
import { DeadLetters } from './events/dead-letters.tsx';
import { BotHeading } from './heading.tsx';
import { BotHeadingSkeleton } from './heading-skeleton.tsx';
import { BotSecrets } from './life/bot-secrets.tsx';
import { CanaryBanner } from './life/canary-banner.tsx';
import { SamplesPanel } from './life/samples-panel.tsx';
import { BotAlertCard } from './runs/alert-card.tsx';
import { BotRuns } from './runs/bot-runs.tsx';
import { RunPanel } from './runs/run-panel.tsx';
import { useBotRunner } from './runs/use-bot-runner.ts';

const DraftConflict = dynamic(() => import('./code/draft-conflict.tsx').then((module) => module.DraftConflict), {
  ssr: false,
  loading: DialogLoading,
});
const ReplaceLive = dynamic(() => import('./code/replace-live.tsx').then((module) => module.ReplaceLive), {
  ssr: false,
  loading: DialogLoading,
});
const DeploySheet = dynamic(() => import('./life/deploy-sheet.tsx').then((module) => module.DeploySheet), {
  ssr: false,
  loading: SheetLoading,
});

const DryRunSheet = dynamic(() => import('./life/dry-run-sheet.tsx').then((module) => module.DryRunSheet), {
  ssr: false,
  loading: SheetLoading,
});
const PromoteDialog = dynamic(() => import('./life/promote-dialog.tsx').then((module) => module.PromoteDialog), {
  ssr: false,
  loading: DialogLoading,
});

const TABS = [
  { value: 'runs', label: 'Runs' },
  { value: 'errors', label: 'Errors' },
  { value: 'charts', label: 'Charts' },
  { value: 'alerts', label: 'Alerts' },
  { value: 'versions', label: 'Versions' },
  { value: 'samples', label: 'Samples' },
  { value: 'secrets', label: 'Secrets' },
  { value: 'connections', label: 'Connections' },
  { value: 'dead-letters', label: 'Dead letters' },
] as const;
const TAB_NAMES = TABS.map(({ value }) => value);

const Connections = dynamic(() => import('./events/connections.tsx').then((module) => module.Connections), {
  ssr: false,
});

export type BotDetailProps = {
  projectId: string;
  botId: string;
  /** Of the code, in percent of the page. */
  width: number;
};

/** One bot: its code beside what it answers, its runs and its versions below. */
export function BotDetail({ projectId, botId, width }: BotDetailProps) {
  const bot = useBot(projectId, botId);
  const versions = useVersions(projectId, botId);
  const live = versions.data?.live;
  const liveVersion = useVersion(projectId, botId, live ?? undefined).data;
  const editor = useBotEditor(projectId, botId, liveVersion);
  const runner = useBotRunner(projectId, botId);
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(TAB_NAMES).withDefault('runs'));
  // What was begun there stays while another tab is looked at; nothing is asked for it before.
  const [wasConnections, setWasConnections] = useState(false);
  if (tab === 'connections' && !wasConnections) setWasConnections(true);
  const isLimited = useLimited();
  const tabs = TABS.filter(({ value }) => value !== 'samples' || !isLimited);
  usePlace(editor);
  const [open, setOpen] = useState<'dry-run' | 'promote'>();
  // The next dry run asks for the same answers, and its sheet is another.
  const [stubs, setStubs] = useState('');
  const close = () => setOpen(undefined);
  const differs = editor.ready && liveVersion !== undefined && !isSame(ofVersion(liveVersion), editor.files);
  const elsewhere = versions.data?.elsewhere && differs && editor.taken !== live ? liveVersion : undefined;

  const run = async () => {
    if (live === undefined) return;
    if (live === null && !(await editor.deploy())) return;
    await runner.run();
  };
  useShortcuts({ save: () => void editor.save(), deploy: () => void editor.deploy(), run: () => void run() });

  const name = bot.data?.name;
  useEffect(() => {
    setBreadcrumbLeaf(name);
    return () => setBreadcrumbLeaf(undefined);
  }, [name]);

  const refused = bot.error ?? editor.source.error;
  if (refused && !(bot.data && editor.ready)) {
    const retry = () => void Promise.all([bot.refetch(), editor.source.refetch()]);
    return (
      <Card>
        <ErrorState error={refused} what="this bot" onRetry={retry} />
      </Card>
    );
  }
  return (
    <>
      {bot.data ? (
        <BotHeading projectId={projectId} bot={bot.data} live={live} draft={differs} editor={editor} onOpen={setOpen} />
      ) : (
        <BotHeadingSkeleton />
      )}
      <CanaryBanner projectId={projectId} botId={botId} liveSince={liveVersion?.createdAt} />
      <Split label="Width of the code" start={width} usual={USUAL_WIDTH} onChange={keepWidth}>
        <EditorCard editor={editor} live={live} elsewhere={elsewhere} />
        <RunPanel
          projectId={projectId}
          botId={botId}
          runner={runner}
          live={live}
          differs={differs}
          onRun={() => void run()}
        />
      </Split>
      <Tabs
        value={isLimited && tab === 'samples' ? 'runs' : tab}
        onValueChange={(next) => void setTab(next)}
        label="About this bot"
        tabs={tabs}
        className="mt-8"
      >
        <TabPanel value="runs">
          <BotRuns projectId={projectId} botId={botId} />
        </TabPanel>
        <TabPanel value="errors">
          <RunErrors projectId={projectId} search={{ bot: botId, window: 'month' }} />
        </TabPanel>
        <TabPanel value="charts">
          <RunCharts projectId={projectId} bot={botId} />
        </TabPanel>
        <TabPanel value="alerts" keep>
          <BotAlertCard projectId={projectId} botId={botId} />
        </TabPanel>
        <TabPanel value="versions">
          <BotVersions
            projectId={projectId}
            botId={botId}
            versions={versions}
            onEdit={(version) => editor.startFrom(ofVersion(version))}
          />
        </TabPanel>
        {isLimited ? null : (
          <TabPanel value="samples">
            <SamplesPanel projectId={projectId} botId={botId} editor={editor} runner={runner} />
          </TabPanel>
        )}
        <TabPanel value="secrets">
          <BotSecrets projectId={projectId} botId={botId} />
        </TabPanel>
        <TabPanel value="connections" keep={wasConnections}>
          {bot.data ? <Connections projectId={projectId} bot={bot.data} /> : null}
        </TabPanel>
        <TabPanel value="dead-letters">
          <DeadLetters projectId={projectId} botId={botId} />
        </TabPanel>
      </Tabs>
      {editor.conflict ? <DraftConflict editor={editor} /> : null}
      {editor.replacing ? <ReplaceLive editor={editor} /> : null}
      {editor.review ? <DeploySheet editor={editor} /> : null}
      {open === 'dry-run' ? (
        <DryRunSheet {...{ projectId, botId, editor, runner }} stubs={stubs} onStubsChange={setStubs} onClose={close} />
      ) : null}
      {open === 'promote' && live ? (
        <PromoteDialog projectId={projectId} botId={botId} live={live} onClose={close} />
      ) : null}
    </>
  );
}

/** A run that failed leads to where in the source it did. The draft may be another text by now: then to what is nearest. */
function usePlace({ ready, files, active, show }: BotEditor): void {
  const [at, setAt] = useQueryState('at', parseAsString);
  const isKnown = at !== null && ready;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each place that the address says.
  useEffect(() => {
    if (!isKnown) return;
    const place = parsePlace(at);
    const isHere = files.all.length === 1 || files.all.some(({ filename }) => filename === place?.file);
    // The sheet that leads here gives the focus back first.
    const timer = setTimeout(() => {
      if (place && isHere) show({ ...place, file: files.all.length === 1 ? active : place.file, text: '' });
      void setAt(null);
    });
    return () => clearTimeout(timer);
  }, [isKnown, at]);
}

type Shortcuts = { save: () => void; deploy: () => void; run: () => void };

/** A toast is a dialog too, to those who read it; it takes nothing away from the page. */
const MODAL = ':is([role=dialog], [role=alertdialog]):not([aria-modal=false])';

/** What is typed there is for another form; the box of the input is marked as the one that Mod+Enter runs. */
const OTHER_FIELD = ':is(input, select, textarea, [role=checkbox], [role=switch]):not([data-runs])';

/** Heard before the editor, which has a use of its own for Mod+Enter. They rest while a dialog is open, and those with Enter in other fields. */
function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || event.repeat) return;
      if (document.querySelector(MODAL)) return;
      const isEnter = event.key === 'Enter';
      if (!isEnter && (event.key.toLowerCase() !== 's' || event.shiftKey)) return;
      if (isEnter && (event.target as Element).matches(OTHER_FIELD)) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current[isEnter ? (event.shiftKey ? 'deploy' : 'run') : 'save']();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}
