'use client';
import { Card } from '#components/ui/display/card.tsx';
import { Table, TableCell, TableHead, TableRow } from '#components/ui/display/table.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { SkeletonRows } from '#components/ui/feedback/skeleton-rows.tsx';
import type { BotRun } from '#lib/protocol/bots/runs/bot-runs.ts';
import { toDuration, toMemory, toTriggerName } from '../facts.ts';
import { RunBadge } from './run-badge.tsx';

const WAITING = [
  { width: 'w-24', className: 'h-11' },
  { width: 'w-20', className: 'h-11 max-md:hidden' },
  { width: 'w-12', className: 'h-11' },
  { width: 'w-12 ml-auto', className: 'h-11' },
  { width: 'w-12 ml-auto', className: 'h-11 max-lg:hidden' },
  { width: 'w-6', className: 'h-11 max-sm:hidden' },
  { width: 'w-28', className: 'h-11 max-sm:hidden' },
  { width: 'w-48', className: 'h-11 max-md:hidden' },
];

export type RunsTableProps = { runs: BotRun[] | undefined; onOpen: (runId: string) => void };

export function RunsTable({ runs, onOpen }: RunsTableProps) {
  return (
    <Card className="overflow-x-auto">
      <Table aria-label="Runs" aria-busy={!runs}>
        <thead>
          <tr>
            <TableHead>When</TableHead>
            <TableHead className="max-md:hidden">Trigger</TableHead>
            <TableHead>Status</TableHead>
            <TableHead className="text-right">Took</TableHead>
            <TableHead className="text-right max-lg:hidden">Memory</TableHead>
            <TableHead className="max-sm:hidden">Version</TableHead>
            <TableHead className="max-sm:hidden">Caller</TableHead>
            <TableHead className="w-[30%] max-md:hidden">Message</TableHead>
          </tr>
        </thead>
        <tbody>
          {runs ? (
            runs.map((run) => <Row key={run.id} run={run} onOpen={onOpen} />)
          ) : (
            <SkeletonRows count={3} cells={WAITING} />
          )}
        </tbody>
      </Table>
    </Card>
  );
}

function Row({ run, onOpen }: { run: BotRun; onOpen: (runId: string) => void }) {
  return (
    <TableRow className="relative hover:bg-hover/60">
      <TableCell className="h-11 whitespace-nowrap">
        <button
          type="button"
          onClick={() => onOpen(run.id)}
          className="min-h-6 font-medium after:absolute after:inset-0"
        >
          <Time at={run.at} />
        </button>
      </TableCell>
      <TableCell className="h-11 whitespace-nowrap max-md:hidden">{toTriggerName(run.trigger)}</TableCell>
      <TableCell className="h-11">
        <RunBadge status={run.status} />
      </TableCell>
      <TableCell className="h-11 whitespace-nowrap text-right tabular-nums">{toDuration(run.durationMs)}</TableCell>
      <TableCell className="h-11 whitespace-nowrap text-right tabular-nums max-lg:hidden">{toMemory(run)}</TableCell>
      <TableCell className="h-11 tabular-nums max-sm:hidden">{run.version === null ? '' : `v${run.version}`}</TableCell>
      <TableCell className="h-11 max-w-48 truncate max-sm:hidden">
        {run.requester?.display ?? run.requester?.reference}
      </TableCell>
      <TableCell className="h-11 max-w-0 truncate text-muted max-md:hidden">{run.message?.split('\n')[0]}</TableCell>
    </TableRow>
  );
}
