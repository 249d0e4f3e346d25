'use client';
import { PeekSheet } from '#components/frame/peek-sheet.tsx';
import type { Peek } from '#components/frame/use-peek.ts';
import { Time } from '#components/ui/display/time.tsx';
import type { BotRow } from '#lib/protocol/bots/bots.ts';
import { TRIGGERS } from '#lib/protocol/bots/triggers.ts';
import { toDuration, toIdentifierText, toPercent } from '../facts.ts';
import { BotStatus, RunBadge } from '../runs/run-badge.tsx';

/** How a bot is doing, before opening its editor. */
export function BotPeek({ peek, projectId, bot }: { peek: Peek; projectId: string; bot: BotRow }) {
  return (
    <PeekSheet
      peek={peek}
      title={bot.name ?? 'Unnamed bot'}
      href={`/p/${projectId}/bots/${bot.id}`}
      head={
        <div className="flex flex-col items-start gap-2">
          {bot.description ? <p className="text-muted">{bot.description}</p> : null}
          <BotStatus bot={bot} />
        </div>
      }
      facts={[
        ['Identifier', bot.identifier.map(toIdentifierText).join(', ')],
        ['Runs by itself', bot.triggers.map((trigger) => TRIGGERS[trigger]).join(', ')],
        ['Category', bot.category.join(', ')],
        ['Made by', bot.madeBy?.display],
        ['Runs in 24 h', bot.runs24h.toLocaleString('en')],
        ['Failed', bot.runs24h > 0 && bot.failed24h.toLocaleString('en')],
        ['Success', toPercent(bot)],
        ['p95', bot.p95Ms !== null && toDuration(bot.p95Ms)],
        [
          'Last run',
          bot.lastRun ? (
            <span key="run" className="flex flex-wrap items-center gap-2">
              <RunBadge status={bot.lastRun.status} />
              <Time at={bot.lastRun.at} />
            </span>
          ) : (
            'Never'
          ),
        ],
        ['Changed', <Time key="changed" at={bot.lastUpdated} />],
      ]}
    />
  );
}
