'use client';
import { Card } from '#components/ui/display/card.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { RowLink } from '#components/ui/display/row-link.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { botQuery } from '#lib/client/bots/bots.ts';
import type { BotRow } from '#lib/protocol/bots/bots.ts';
import { toDuration, toPercent } from '../facts.ts';
import { BotStatus, RunBadge } from '../runs/run-badge.tsx';
import { BotMenu } from './menu.tsx';
import { RunsSparkline } from './sparkline.tsx';
import type { BotsListProps } from './table.tsx';
import { TriggerIcons } from './triggers.tsx';
import type { BotEntries } from './use-bot-actions.ts';

/** The same list where a table has no room. */
export function BotsCards({ projectId, bots, entriesOf }: BotsListProps) {
  if (!bots) return <Waiting />;
  return (
    <ul aria-label="Bots" className="flex flex-col gap-2 md:hidden">
      {bots.map((bot) => (
        <ListRow key={bot.id} about={bot.id}>
          <BotCard projectId={projectId} bot={bot} entriesOf={entriesOf} />
        </ListRow>
      ))}
    </ul>
  );
}

function BotCard({ projectId, bot, entriesOf }: { projectId: string; bot: BotRow; entriesOf: BotEntries }) {
  const facts = [
    `${bot.runs24h.toLocaleString('en')} runs in 24 h`,
    toPercent(bot) && `${toPercent(bot)} OK`,
    bot.p95Ms !== null && `p95 ${toDuration(bot.p95Ms)}`,
  ];
  return (
    <Card data-row={bot.id} className="relative p-4">
      <div className="flex items-start justify-between gap-3">
        <RowLink
          href={`/p/${projectId}/bots/${bot.id}`}
          query={botQuery(projectId, bot.id)}
          className="min-w-0 truncate font-medium after:absolute after:inset-0"
        >
          {bot.name ?? 'Unnamed bot'}
        </RowLink>
        <span className="flex shrink-0 items-center gap-1">
          <BotStatus bot={bot} />
          <BotMenu bot={bot} entriesOf={entriesOf} />
        </span>
      </div>
      {bot.description ? <p className="mt-0.5 line-clamp-2 text-[0.8125rem] text-muted">{bot.description}</p> : null}
      <p className="mt-2.5 text-[0.8125rem] text-muted tabular-nums">{facts.filter(Boolean).join(' · ')}</p>
      {bot.triggers.length > 0 ? (
        <p className="mt-2">
          <TriggerIcons triggers={bot.triggers} />
        </p>
      ) : null}
      {bot.runs24h > 0 ? (
        <p className="mt-2">
          <RunsSparkline bot={bot} />
        </p>
      ) : null}
      {bot.lastRun ? (
        <p className="mt-2 flex items-center gap-2">
          <RunBadge status={bot.lastRun.status} />
          <Time at={bot.lastRun.at} className="text-[0.8125rem] text-muted" />
        </p>
      ) : null}
    </Card>
  );
}

function Waiting() {
  return (
    <SkeletonRegion label="Loading bots" className="flex flex-col gap-2 md:hidden">
      {[0, 1, 2, 3].map((card) => (
        <Card key={card} className="flex h-32 flex-col gap-2.5 p-4">
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="h-3 w-4/5" />
          <Skeleton className="h-3 w-2/3" />
          <Skeleton className="h-5 w-28" />
        </Card>
      ))}
    </SkeletonRegion>
  );
}
