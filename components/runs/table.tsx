'use client';
import { toDuration, toMemory, toTriggerName } from '#components/bots/facts.ts';
import { RunBadge } from '#components/bots/runs/run-badge.tsx';
import type { Selection } from '#components/frame/use-selection.ts';
import { cn } from '#components/ui/cn.ts';
import { Card } from '#components/ui/display/card.tsx';
import { Table, TableCell, TableHead, TableRow } from '#components/ui/display/table.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { SkeletonRows } from '#components/ui/feedback/skeleton-rows.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import type { ProjectRun } from '#lib/protocol/bots/runs/bot-runs.ts';

const WAITING = [
  { width: 'w-4', className: 'h-11' },
  { width: 'w-24', className: 'h-11' },
  { width: 'w-32', className: 'h-11' },
  { width: 'w-20', className: 'h-11' },
  { width: 'w-14', className: 'h-11' },
  { width: 'w-6', className: 'h-11' },
  { width: 'w-12 ml-auto', className: 'h-11' },
  { width: 'w-14 ml-auto', className: 'h-11 max-xl:hidden' },
  { width: 'w-28', className: 'h-11' },
];

const MEMORY = 7;
const WAITING_OF_ONE = WAITING.map((cell, at) =>
  at === MEMORY ? { ...cell, className: 'h-11 max-2xl:hidden' } : cell,
);

export type RunRowsProps = {
  /** Undefined while the first answer is on its way. */
  runs: ProjectRun[] | undefined;
  /** They belong to the view before this one. */
  stale: boolean;
  selection: Selection;
  onOpen: (runId: string) => void;
  /** Of one bot, which is not told again in each row: what it failed with is. */
  ofOne?: true;
};

export function RunsTable({ runs, stale, selection, onOpen, ofOne }: RunRowsProps) {
  return (
    <Card className={cn('overflow-x-auto transition-opacity duration-150 max-md:hidden', stale && 'opacity-55')}>
      <Table aria-label="Runs" aria-busy={!runs || stale} className="min-w-180">
        <thead>
          <tr>
            <TableHead className="w-10">
              <span className="sr-only">Choose</span>
            </TableHead>
            <TableHead className="w-32">Time</TableHead>
            <TableHead>{ofOne ? 'Message' : 'Bot'}</TableHead>
            <TableHead className={ofOne ? 'w-28' : 'w-32'}>Trigger</TableHead>
            <TableHead className={ofOne ? 'w-28' : 'w-36'}>Status</TableHead>
            <TableHead className="w-20">Version</TableHead>
            <TableHead className="w-24 text-right">Took</TableHead>
            <TableHead className={cn('w-24 text-right', memoryClass(ofOne))}>Memory</TableHead>
            <TableHead className={ofOne ? 'w-32' : 'w-44'}>Caller</TableHead>
          </tr>
        </thead>
        <tbody>
          {runs ? (
            runs.map((run) => <Row key={run.id} run={run} selection={selection} onOpen={onOpen} ofOne={ofOne} />)
          ) : (
            <SkeletonRows count={8} cells={ofOne ? WAITING_OF_ONE : WAITING} />
          )}
        </tbody>
      </Table>
    </Card>
  );
}

type RowProps = Pick<RunRowsProps, 'selection' | 'onOpen' | 'ofOne'> & { run: ProjectRun };

function Row({ run, selection, onOpen, ofOne }: RowProps) {
  return (
    <TableRow data-row={run.id} className="relative hover:bg-hover/60">
      <TableCell className="h-11 pr-0">
        <Checkbox
          aria-label={`Choose the run of ${run.bot.name || 'an unnamed bot'} at ${run.at}`}
          checked={selection.has(run.id)}
          onCheckedChange={(on, { shift }) => selection.toggle(run.id, on, shift)}
          className="z-1"
        />
      </TableCell>
      <TableCell className="h-11 whitespace-nowrap">
        <button
          type="button"
          data-row-link=""
          onClick={() => onOpen(run.id)}
          className="min-h-6 font-medium after:absolute after:inset-0"
        >
          <Time at={run.at} />
        </button>
      </TableCell>
      {ofOne ? (
        <TableCell className="h-11 max-w-0 truncate text-muted">{run.message?.split('\n')[0]}</TableCell>
      ) : (
        <TableCell className="h-11 max-w-0 truncate">{run.bot.name || 'Unnamed bot'}</TableCell>
      )}
      <TableCell className="h-11 whitespace-nowrap">{toTriggerName(run.trigger)}</TableCell>
      <TableCell className="h-11">
        <RunBadge status={run.status} />
      </TableCell>
      <TableCell className="h-11 tabular-nums">{run.version === null ? 'Unknown' : `v${run.version}`}</TableCell>
      <TableCell className="h-11 whitespace-nowrap text-right tabular-nums">{toDuration(run.durationMs)}</TableCell>
      <TableCell className={cn('h-11 whitespace-nowrap text-right tabular-nums', memoryClass(ofOne))}>
        {toMemory(run)}
      </TableCell>
      <TableCell className={cn('h-11 truncate', ofOne ? 'max-w-32' : 'max-w-44')}>
        {run.requester?.display ?? run.requester?.reference ?? 'Unknown'}
      </TableCell>
    </TableRow>
  );
}

/** A message needs more room than a name. */
function memoryClass(ofOne: true | undefined): string {
  return ofOne ? 'max-2xl:hidden' : 'max-xl:hidden';
}
