'use client';
import { RotateCw, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import type { DeadLetterGroup } from '#lib/protocol/bots/dead-letters.ts';
import { toTriggerName } from '../facts.ts';

export type GroupCardProps = {
  projectId: string;
  group: DeadLetterGroup;
  /** All of them are of the bot whose page this is. */
  isOfOne: boolean;
  onOpen: () => void;
  onTake: (act: 'replay' | 'drop') => void;
};

/** Events that failed alike: how many, of which bot, and what one of them says. */
export function GroupCard({ projectId, group, isOfOne, onOpen, onTake }: GroupCardProps) {
  const { bot, trigger, count, firstFailedAt, lastFailedAt, message } = group;
  const events = count === 1 ? 'One event' : `${count} events`;
  const name = bot ? bot.display || 'Unnamed bot' : 'No bot found';
  const [first = ''] = message.split('\n');
  return (
    <Card className="flex flex-col gap-3 p-5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <Badge tone="danger">{events}</Badge>
        <span className="text-[0.8125rem] text-muted">{toTriggerName(trigger)}</span>
        {isOfOne ? null : bot ? (
          <Link
            href={`/p/${projectId}/bots/${bot.reference.slice('Bot/'.length)}`}
            className="min-w-0 truncate font-medium underline-offset-3 hover:underline"
          >
            {name}
          </Link>
        ) : (
          <span className="font-medium">{name}</span>
        )}
        <span className="text-[0.8125rem] text-muted">
          last failed <Time at={lastFailedAt} />
          {count > 1 ? (
            <>
              , first <Time at={firstFailedAt} />
            </>
          ) : null}
        </span>
      </div>
      <p className="line-clamp-3 break-words font-mono text-danger-text text-xs leading-5">{first}</p>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          onClick={onOpen}
          aria-label={`Show ${count === 1 ? 'it' : 'them'}: ${events.toLowerCase()} of ${name}`}
        >
          Show {count === 1 ? 'it' : 'them'}
        </Button>
        <Button size="sm" onClick={() => onTake('replay')} aria-label={`Run again… ${events.toLowerCase()} of ${name}`}>
          <RotateCw aria-hidden="true" />
          Run again…
        </Button>
        <Button
          size="sm"
          variant="ghost"
          className="text-danger-text"
          onClick={() => onTake('drop')}
          aria-label={`Drop… ${events.toLowerCase()} of ${name}`}
        >
          <Trash2 aria-hidden="true" />
          Drop…
        </Button>
      </div>
    </Card>
  );
}
