'use client';
import { ArrowLeft, Eye, EyeOff, RotateCw } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { toSize } from '#components/bots/facts.ts';
import { RevealDialog } from '#components/bots/run/reveal-dialog.tsx';
import { useRevealed } from '#components/bots/run/use-revealed.ts';
import { Button } from '#components/ui/button.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useLimited } from '#lib/client/frame/limited.ts';
import { useMessage, useReplayMessages, useRevealMessage } from '#lib/client/hl7-feeds/hl7-feeds.ts';
import type { Hl7Feed, Hl7MessageRow } from '#lib/protocol/hl7/feeds/feed-answers.ts';
import { MessageBadge } from './message-badge.tsx';

export type MessageDetailProps = { projectId: string; feed: Hl7Feed; row: Hl7MessageRow; onBack: () => void };

/** One message: how it ended, and what it says, without what identifies somebody until it is revealed. */
export function MessageDetail({ projectId, feed, row, onBack }: MessageDetailProps) {
  const message = useMessage(projectId, feed.id, row.id);
  const reveal = useRevealed(useRevealMessage(projectId, feed.id, row.id));
  const { revealed } = reveal;
  const replay = useReplayMessages(projectId, feed.id);
  const isLimited = useLimited();
  const [isAskingAgain, setIsAskingAgain] = useState(false);
  const shown = revealed ?? message.data;
  const hasEnded = row.state === 'done' || row.state === 'failed';
  return (
    <div className="flex flex-col gap-4 p-6">
      <div>
        <Button size="sm" variant="ghost" className="-ml-2" onClick={onBack}>
          <ArrowLeft aria-hidden="true" />
          All messages
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold">{row.type || 'Without a type'}</h3>
        <MessageBadge state={row.state} />
      </div>
      <p className="text-[0.8125rem] text-muted [overflow-wrap:anywhere]">
        Control ID <span className="font-mono">{row.controlId}</span>, {toSize(row.bytes)}, came{' '}
        <Time at={row.receivedAt} />
        {row.endedAt ? (
          <>
            , ended <Time at={row.endedAt} />
          </>
        ) : null}
        {row.tries > 1 ? `, ${row.tries} attempts` : ''}.{' '}
        <Link
          href={`/p/${projectId}/runs?bot=${feed.bot.reference.slice('Bot/'.length)}&trigger=hl7`}
          className="font-medium text-accent-text underline underline-offset-3"
        >
          Runs of its bot
        </Link>
      </p>
      <div className="flex flex-wrap items-center gap-2">
        {hasEnded && message.data?.isKept !== false ? (
          <Button size="sm" onClick={() => setIsAskingAgain(true)}>
            <RotateCw aria-hidden="true" />
            Run again…
          </Button>
        ) : null}
        {revealed ? (
          <Button size="sm" onClick={reveal.mask}>
            <EyeOff aria-hidden="true" />
            Mask again
          </Button>
        ) : isLimited ? null : (
          <Button size="sm" onClick={reveal.ask}>
            <Eye aria-hidden="true" />
            Reveal…
          </Button>
        )}
        <p role="status" className="text-[0.8125rem] text-muted">
          {revealed ? 'Shown as it was.' : 'Shown without what identifies somebody.'}
        </p>
      </div>
      {shown ? (
        <>
          {shown.failure ? <Part title="What went wrong" text={shown.failure} isBad /> : null}
          <Part
            title="Message"
            text={shown.text}
            none="What it said is not kept, was erased, or cannot be shown masked."
          />
          {shown.answer === null ? null : <Part title="Answer" text={shown.answer} />}
        </>
      ) : message.error ? (
        <ErrorState error={message.error} what="this message" onRetry={() => void message.refetch()} />
      ) : (
        <SkeletonRegion label="Loading the message">
          <Skeleton className="h-32" />
        </SkeletonRegion>
      )}
      {reveal.isAsking ? <RevealDialog what="message" {...reveal.dialog} /> : null}
      {isAskingAgain ? (
        <ConfirmDialog
          title="Run this message again?"
          confirm="Run again"
          onConfirm={async () => {
            await replay.mutateAsync(row.id);
            toast({ title: 'The message runs again' });
          }}
          onClose={() => setIsAskingAgain(false)}
        >
          <p>
            The bot runs <strong>for real</strong> with it, at the place where it came.
          </p>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

type PartProps = { title: string; text: string | null; none?: string; isBad?: boolean };

function Part({ title, text, none, isBad = false }: PartProps) {
  const look = isBad ? 'bg-danger-soft text-danger-text' : 'bg-sunken';
  return (
    <section aria-label={title}>
      <h4 className="mb-1.5 font-medium text-sm">{title}</h4>
      {text === null ? (
        <p className="text-muted">{none}</p>
      ) : (
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key (WCAG 2.1.1).
          tabIndex={0}
          className={`max-h-96 overflow-auto whitespace-pre-wrap break-all rounded-lg p-3 font-mono text-xs leading-5 focus-visible:-outline-offset-2 ${look}`}
        >
          {text.replaceAll('\r', '\n')}
        </pre>
      )}
    </section>
  );
}
