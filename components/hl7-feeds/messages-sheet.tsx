'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import { useMessages, useReplayMessages } from '#lib/client/hl7-feeds/hl7-feeds.ts';
import type { Hl7Feed, Hl7MessageRow, MessageState } from '#lib/protocol/hl7/feeds/feed-answers.ts';
import { MESSAGE_WORDS, MessageBadge } from './message-badge.tsx';
import { MessageDetail } from './message-detail.tsx';

const STATES: { value: MessageState | 'any'; label: string }[] = [
  { value: 'any', label: 'All messages' },
  { value: 'failed', label: MESSAGE_WORDS.failed },
  { value: 'waiting', label: MESSAGE_WORDS.waiting },
  { value: 'running', label: MESSAGE_WORDS.running },
  { value: 'done', label: MESSAGE_WORDS.done },
];

export type MessagesSheetProps = { projectId: string; feed: Hl7Feed; onClose: () => void };

/** The messages of a feed, newest first, without what they say; one opens in its place. */
export function MessagesSheet({ projectId, feed, onClose }: MessagesSheetProps) {
  const [state, setState] = useState<MessageState | 'any'>('any');
  const [shown, setShown] = useState<Hl7MessageRow>();
  const [asking, setAsking] = useState(false);
  const replay = useReplayMessages(projectId, feed.id);
  const messages = useMessages(projectId, feed.id, state);
  const rows = messages.data?.pages.flatMap((page) => page.rows);
  return (
    <Sheet
      open
      inUrl
      onOpenChange={(open) => open || onClose()}
      title={`Messages of ${feed.name}`}
      className="max-w-2xl"
    >
      {shown ? (
        <MessageDetail
          key={shown.id}
          projectId={projectId}
          feed={feed}
          row={rows?.find(({ id }) => id === shown.id) ?? shown}
          onBack={() => setShown(undefined)}
        />
      ) : (
        <div className="flex flex-col gap-4 p-6">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <Select aria-label="State" value={state} options={STATES} onValueChange={setState} className="min-w-36" />
            {feed.state.failed > 0 ? (
              <Button size="sm" onClick={() => setAsking(true)}>
                Run all that failed again…
              </Button>
            ) : null}
          </div>
          {messages.error && !rows ? (
            <ErrorState error={messages.error} what="these messages" onRetry={() => void messages.refetch()} />
          ) : !rows ? (
            <SkeletonRegion label="Loading messages" className="flex flex-col gap-3">
              {[0, 1, 2].map((row) => (
                <Skeleton key={row} className="h-12" />
              ))}
            </SkeletonRegion>
          ) : rows.length === 0 ? (
            <EmptyState title={state === 'any' ? 'No message came yet' : 'No message stands so'} className="py-8">
              {state === 'any' ? 'What its sender sends stands here as soon as it is stored.' : 'Choose another state.'}
            </EmptyState>
          ) : (
            <ul aria-label="Messages" className="divide-y divide-line border-line border-y">
              {rows.map((row) => (
                <li key={row.id} className="relative flex items-start justify-between gap-3 py-3 hover:bg-hover/60">
                  <div className="min-w-0">
                    <button
                      type="button"
                      onClick={() => setShown(row)}
                      className="min-h-6 text-left font-medium after:absolute after:inset-0"
                    >
                      {row.type || 'Without a type'}
                    </button>
                    <p className="truncate text-[0.8125rem] text-muted">
                      <span className="font-mono">{row.controlId}</span> · <Time at={row.receivedAt} />
                    </p>
                  </div>
                  <MessageBadge state={row.state} />
                </li>
              ))}
            </ul>
          )}
          {messages.hasNextPage ? (
            <Button
              className="self-center"
              busy={messages.isFetchingNextPage}
              onClick={() => void messages.fetchNextPage()}
            >
              Older messages
            </Button>
          ) : null}
        </div>
      )}
      {asking ? (
        <ConfirmDialog
          title="Run all that failed again?"
          confirm="Run again"
          onConfirm={async () => {
            const { messages: count = 0 } = await replay.mutateAsync(undefined);
            toast({ title: count === 1 ? 'One message will run again' : `${count} messages will run again` });
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            The bot runs <strong>for real</strong> with each of them, in the order in which they came, a thousand at
            once.
          </p>
        </ConfirmDialog>
      ) : null}
    </Sheet>
  );
}
