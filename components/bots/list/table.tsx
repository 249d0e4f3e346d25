'use client';
import { Bot } from 'lucide-react';
import { Card } from '#components/ui/display/card.tsx';
import { RowLink } from '#components/ui/display/row-link.tsx';
import { Table, TableCell, TableHead, TableRow } from '#components/ui/display/table.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { SkeletonRows } from '#components/ui/feedback/skeleton-rows.tsx';
import { botQuery } from '#lib/client/bots/bots.ts';
import type { BotRow } from '#lib/protocol/bots/bots.ts';
import { toDuration, toIdentifierText, toPercent } from '../facts.ts';
import { BotStatus, RunBadge } from '../runs/run-badge.tsx';
import { BotMenu } from './menu.tsx';
import { RunsSparkline } from './sparkline.tsx';
import { TriggerIcons } from './triggers.tsx';
import type { BotEntries } from './use-bot-actions.ts';

export type BotsListProps = {
  projectId: string;
  /** Undefined while the first answer is on its way. */
  bots: BotRow[] | undefined;
  entriesOf: BotEntries;
};

const WAITING = [
  { picture: 'size-8 rounded-lg', width: 'h-3 w-52' },
  { width: 'w-24' },
  { width: 'w-10' },
  { width: 'w-16' },
  { width: 'w-28 ml-auto' },
  { width: 'w-10 ml-auto' },
  { width: 'w-12 ml-auto' },
  { width: 'w-28' },
  { width: 'w-6' },
];

export function BotsTable({ projectId, bots, entriesOf }: BotsListProps) {
  return (
    <Card className="hidden overflow-x-auto md:block">
      <Table aria-label="Bots" aria-busy={!bots} className="min-w-232">
        <thead>
          <tr>
            <TableHead className="w-[28%]">Name</TableHead>
            <TableHead>Identifier</TableHead>
            <TableHead>Triggers</TableHead>
            <TableHead>Version</TableHead>
            <TableHead className="whitespace-nowrap px-3 text-right">Runs 24 h</TableHead>
            <TableHead className="whitespace-nowrap px-3 text-right">Success</TableHead>
            <TableHead className="whitespace-nowrap px-3 text-right">p95</TableHead>
            <TableHead>Last run</TableHead>
            <TableHead className="hidden 2xl:table-cell">Made by</TableHead>
            <TableHead className="w-12">
              <span className="sr-only">Actions</span>
            </TableHead>
          </tr>
        </thead>
        <tbody>
          {bots ? (
            bots.map((bot) => <Row key={bot.id} projectId={projectId} bot={bot} entriesOf={entriesOf} />)
          ) : (
            <SkeletonRows count={4} cells={WAITING} />
          )}
        </tbody>
      </Table>
    </Card>
  );
}

function Row({ projectId, bot, entriesOf }: { projectId: string; bot: BotRow; entriesOf: BotEntries }) {
  const [identifier] = bot.identifier;
  return (
    <TableRow data-row={bot.id} about={bot.id} className="relative hover:bg-hover/60">
      <TableCell className="max-w-0">
        <div className="flex items-center gap-3">
          <span className="grid size-8 shrink-0 place-items-center rounded-lg bg-accent-soft text-accent-text">
            <Bot className="size-4" aria-hidden="true" />
          </span>
          <div className="min-w-0">
            <RowLink
              href={`/p/${projectId}/bots/${bot.id}`}
              query={botQuery(projectId, bot.id)}
              className="block truncate font-medium after:absolute after:inset-0"
            >
              {bot.name ?? 'Unnamed bot'}
            </RowLink>
            {bot.description ? <p className="truncate text-[0.8125rem] text-muted">{bot.description}</p> : null}
          </div>
        </div>
      </TableCell>
      <TableCell className="max-w-36 truncate font-mono text-muted text-xs">
        {identifier ? <span title={toIdentifierText(identifier)}>{identifier.value}</span> : <Dash />}
      </TableCell>
      <TableCell>{bot.triggers.length > 0 ? <TriggerIcons triggers={bot.triggers} /> : <Dash />}</TableCell>
      <TableCell>
        <BotStatus bot={bot} />
      </TableCell>
      <TableCell className="whitespace-nowrap px-3 text-right tabular-nums">
        <span className="flex items-center justify-end gap-3">
          <RunsSparkline bot={bot} />
          <span className="min-w-8">{bot.runs24h.toLocaleString('en')}</span>
        </span>
      </TableCell>
      <TableCell className="whitespace-nowrap px-3 text-right tabular-nums">{toPercent(bot) ?? <Dash />}</TableCell>
      <TableCell className="whitespace-nowrap px-3 text-right tabular-nums">
        {bot.p95Ms === null ? <Dash /> : toDuration(bot.p95Ms)}
      </TableCell>
      <TableCell className="whitespace-nowrap">
        {bot.lastRun ? (
          <span className="flex items-center gap-2">
            <RunBadge status={bot.lastRun.status} />
            <Time at={bot.lastRun.at} className="text-muted" />
          </span>
        ) : (
          <span className="text-muted">Never</span>
        )}
      </TableCell>
      <TableCell className="hidden max-w-36 truncate text-muted 2xl:table-cell">
        {bot.madeBy?.display ?? <Dash />}
      </TableCell>
      <TableCell className="pr-3 pl-0">
        <BotMenu bot={bot} entriesOf={entriesOf} />
      </TableCell>
    </TableRow>
  );
}

function Dash() {
  return (
    <span className="text-faint">
      <span aria-hidden="true">–</span>
      <span className="sr-only">none</span>
    </span>
  );
}
