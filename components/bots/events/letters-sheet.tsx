'use client';
import { Button } from '#components/ui/button.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import { useDeadLetters } from '#lib/client/bots/dead-letters.ts';
import type { DeadLetter, DeadLetterGroup } from '#lib/protocol/bots/dead-letters.ts';
import { toTriggerName } from '../facts.ts';
import type { Taking } from './take-dialog.tsx';

export type LettersSheetProps = {
  projectId: string;
  group: DeadLetterGroup;
  onTake: (taking: Taking) => void;
  onClose: () => void;
};

/** Each event of a group: what it was about, by its name alone, and what went wrong. */
export function LettersSheet({ projectId, group, onTake, onClose }: LettersSheetProps) {
  const letters = useDeadLetters(projectId, group);
  const rows = letters.data?.pages.flatMap((page) => page.rows);
  return (
    <Sheet open inUrl onOpenChange={(open) => open || onClose()} title="Dead letters" className="max-w-2xl">
      {rows ? (
        <div className="flex flex-col gap-4 p-6">
          <p className="text-muted">
            {toTriggerName(group.trigger)}, {group.bot ? group.bot.display || 'Unnamed bot' : 'no bot found'}. What went
            in is in the runs, masked.
          </p>
          <ul aria-label="Events" className="divide-y divide-line border-line border-y">
            {rows.map((letter) => (
              <Letter key={letter.id} letter={letter} onTake={onTake} />
            ))}
          </ul>
          {letters.hasNextPage ? (
            <Button
              className="self-center"
              busy={letters.isFetchingNextPage}
              onClick={() => void letters.fetchNextPage()}
            >
              More events
            </Button>
          ) : null}
        </div>
      ) : letters.error ? (
        <ErrorState error={letters.error} what="these events" onRetry={() => void letters.refetch()} />
      ) : (
        <SkeletonRegion label="Loading events" className="flex flex-col gap-4 p-6">
          <Skeleton className="w-2/3" />
          <Skeleton className="h-20" />
          <Skeleton className="h-20" />
        </SkeletonRegion>
      )}
    </Sheet>
  );
}

function Letter({ letter, onTake }: { letter: DeadLetter; onTake: LettersSheetProps['onTake'] }) {
  const { id, event, subscription, attempts, lastFailedAt, message } = letter;
  const take = (act: Taking['act']) => onTake({ act, count: 1, of: { ids: [id] } });
  return (
    <li className="flex flex-col gap-1.5 py-4">
      <p className="break-all font-mono text-xs leading-5">{event}</p>
      <p className="text-[0.8125rem] text-muted">
        {attempts === 1 ? 'One attempt' : `${attempts} attempts`}, failed <Time at={lastFailedAt} />
        {subscription ? `, by ${subscription.reference}` : ''}
      </p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key (WCAG 2.1.1).
        tabIndex={0}
        className="max-h-40 overflow-auto whitespace-pre-wrap break-words rounded-lg bg-danger-soft p-3 font-mono text-danger-text text-xs leading-5 focus-visible:-outline-offset-2"
      >
        {message}
      </pre>
      <div className="flex gap-2 pt-1">
        <Button size="sm" onClick={() => take('replay')} aria-label={`Run again… ${event}`}>
          Run again…
        </Button>
        <Button
          size="sm"
          variant="ghost"
          className="text-danger-text"
          onClick={() => take('drop')}
          aria-label={`Drop… ${event}`}
        >
          Drop…
        </Button>
      </div>
    </li>
  );
}
