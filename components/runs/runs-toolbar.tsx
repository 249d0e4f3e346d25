'use client';
import { cn } from '#components/ui/cn.ts';
import { Badge } from '#components/ui/display/badge.tsx';
import { FilterBar } from '#components/ui/form/filter-bar.tsx';
import { FilterSelect } from '#components/ui/form/filter-select.tsx';
import { SearchBox } from '#components/ui/form/search-box.tsx';
import { useBots } from '#lib/client/bots/bots.ts';
import type { RunSearch } from '#lib/client/bots/run-search.ts';
import { useVersions } from '#lib/client/bots/source.ts';
import { useLimited } from '#lib/client/frame/limited.ts';
import { TRIGGER_NAMES, TRIGGERS } from '#lib/protocol/bots/triggers.ts';

const STATES = [
  { value: 'any', label: 'Any status' },
  { value: 'failing', label: 'Not OK' },
  { value: 'ok', label: 'OK' },
  { value: 'failed', label: 'Failed' },
  { value: 'timeout', label: 'Timed out' },
  { value: 'out-of-memory', label: 'Out of memory' },
] as const;

const CAUSES = [
  { value: 'any' as const, label: 'Any trigger' },
  ...TRIGGER_NAMES.map((value) => ({ value, label: TRIGGERS[value] })),
];

const WINDOWS = [
  { value: 'any', label: 'Any time' },
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
] as const;

/** Two of them beside each other on a phone. */
const HALF = 'max-sm:w-[calc(50%-0.25rem)]';

export type RunsToolbarProps = {
  projectId: string;
  search: RunSearch;
  change: (next: Partial<RunSearch>) => void;
  text: string;
  onText: (text: string) => void;
  onClear?: () => void;
  /** Of charts and errors fewer things are asked. */
  tab: 'runs' | 'errors' | 'charts';
  /** On the page of the bot that `search` says. */
  ofOne?: true;
};

export function RunsToolbar({ projectId, search, change, text, onText, onClear, tab, ofOne }: RunsToolbarProps) {
  const isLimited = useLimited();
  return (
    <FilterBar onClear={onClear}>
      {tab === 'runs' ? (
        <>
          <FilterSelect
            aria-label="Status"
            value={search.status}
            options={STATES}
            onValueChange={(status) => change({ status })}
            className={HALF}
          />
          <FilterSelect
            aria-label="Trigger"
            value={search.trigger}
            options={CAUSES}
            onValueChange={(trigger) => change({ trigger })}
            className={HALF}
          />
        </>
      ) : null}
      {ofOne ? null : <BotSelect projectId={projectId} search={search} change={change} />}
      {tab === 'runs' && search.bot !== '' ? (
        <VersionSelect projectId={projectId} search={search} change={change} />
      ) : null}
      {tab === 'charts' ? null : (
        <FilterSelect
          aria-label="Time"
          value={search.window}
          options={WINDOWS}
          onValueChange={(window) => change({ window })}
          className={HALF}
        />
      )}
      {tab === 'runs' && !isLimited ? (
        <SearchBox
          label="Search what went into runs"
          placeholder="Text in the input"
          value={text}
          onSearch={(next) => onText(next.trim())}
          className="w-full sm:w-56"
        />
      ) : null}
      {tab === 'runs' && search.fingerprint ? <Badge tone="danger">Of one error</Badge> : null}
    </FilterBar>
  );
}

function BotSelect({ projectId, search, change }: Pick<RunsToolbarProps, 'projectId' | 'search' | 'change'>) {
  const bots = useBots(projectId).data?.rows ?? [];
  const named = bots.map(({ id, name }) => ({ value: id, label: name || 'Unnamed bot' }));
  // One that was deleted, or stands beyond the first: the address says so all the same.
  const isListed = search.bot === '' || bots.some(({ id }) => id === search.bot);
  const other = isListed ? [] : [{ value: search.bot, label: 'Another bot' }];
  return (
    <FilterSelect
      aria-label="Bot"
      value={search.bot}
      options={[{ value: '', label: 'All bots' }, ...other, ...named]}
      onValueChange={(bot) => change({ bot, version: null })}
      className={cn(HALF, 'truncate sm:w-40')}
    />
  );
}

/** Which version of the bot ran: what it has done since a deploy, or did before. */
function VersionSelect({ projectId, search, change }: Pick<RunsToolbarProps, 'projectId' | 'search' | 'change'>) {
  const rows = useVersions(projectId, search.bot).data?.rows ?? [];
  const numbers = new Set([...rows.map(({ number }) => number), ...(search.version === null ? [] : [search.version])]);
  const options = [...numbers].sort((a, b) => b - a).map((number) => ({ value: String(number), label: `v${number}` }));
  return (
    <FilterSelect
      aria-label="Version"
      value={String(search.version ?? '')}
      options={[{ value: '', label: 'All versions' }, ...options]}
      onValueChange={(version) => change({ version: version === '' ? null : Number(version) })}
      className={HALF}
    />
  );
}
