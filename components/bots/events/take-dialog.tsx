'use client';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useTakeDeadLetters } from '#lib/client/bots/dead-letters.ts';
import type { DeadLettersRequest } from '#lib/protocol/bots/dead-letters.ts';

/** What is to be done with which of them; `count` is how many these are. */
export type Taking = { act: 'replay' | 'drop'; count: number; of: DeadLettersRequest };

export type TakeDialogProps = Taking & { projectId: string; onDone?: () => void; onClose: () => void };

/** Asks before events run again, or are dropped. */
export function TakeDialog({ projectId, act, count, of, onDone, onClose }: TakeDialogProps) {
  const take = useTakeDeadLetters(projectId, act);
  const what = count === 1 ? 'this event' : `${count} events`;
  const isReplay = act === 'replay';
  return (
    <ConfirmDialog
      title={isReplay ? `Run ${what} again?` : `Drop ${what}?`}
      confirm={isReplay ? 'Run again' : count === 1 ? 'Drop the event' : `Drop ${count} events`}
      danger={!isReplay}
      onConfirm={async () => {
        const { count: done, more } = await take.mutateAsync(of);
        const events = done === 1 ? 'One event' : `${done} events`;
        const rest = more ? { description: 'There are more: do it once more for these.' } : {};
        toast(
          done === 0
            ? { title: 'Somebody else was first', description: 'They are not on the list any more.' }
            : { title: isReplay ? `${events} will run again` : `${events} dropped`, ...rest },
        );
        onDone?.();
      }}
      onClose={onClose}
    >
      {isReplay ? (
        <p>
          The bot runs <strong>for real</strong> with what happened then, on the version that is live now. Mend the
          cause first: what fails again comes back here.
        </p>
      ) : (
        <p>
          No bot runs with {count === 1 ? 'it' : 'them'} any more, and{' '}
          <strong>nothing brings {count === 1 ? 'it' : 'them'} back</strong>. What happened itself, a change of a record
          or a message, stays as it is.
        </p>
      )}
    </ConfirmDialog>
  );
}
