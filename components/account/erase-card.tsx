'use client';
import { useState } from 'react';
import { WaitingChange } from '#components/account-changes/waiting-change.tsx';
import { focusCard, SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useCancelErasure, useOwnErasure, useRequestErasure } from '#lib/client/account/erasure.ts';
import type { OwnErasure } from '#lib/protocol/account-changes/answers.ts';

/** The end of one's account, which waits, says before what goes with it, and what stands against it. */
export function EraseCard() {
  const erasure = useOwnErasure();
  const [asking, setAsking] = useState(false);
  const { data } = erasure;
  return (
    <SettingsCard
      id="erase"
      title="Erase your account"
      description="For good, with your memberships in all projects. The records that projects keep of you stay theirs."
    >
      {data ? (
        <Erasure erasure={data} onAsk={() => setAsking(true)} />
      ) : erasure.error ? (
        <ErrorState error={erasure.error} what="what would be erased" onRetry={() => void erasure.refetch()} />
      ) : (
        <SkeletonRegion label="Loading what would be erased" className="flex flex-col gap-2">
          <Skeleton className="h-5 w-64 max-w-full" />
          <Skeleton className="h-9 w-44" />
        </SkeletonRegion>
      )}
      {asking && data ? <EraseDialog erasure={data} onClose={() => setAsking(false)} /> : null}
    </SettingsCard>
  );
}

function Erasure({ erasure: { projects, waiting }, onAsk }: { erasure: OwnErasure; onAsk: () => void }) {
  const cancel = useCancelErasure();
  if (waiting) {
    const takeBack = async () => {
      try {
        await cancel.mutateAsync(waiting.id);
        toast({ title: 'It is taken back', description: 'Your account stays.' });
        focusCard('erase');
      } catch (error) {
        toast({ tone: 'danger', title: 'It was not taken back', description: (error as Error).message });
      }
    };
    return (
      <ul aria-label="Erasure that waits">
        <WaitingChange own change={waiting} onCancel={takeBack} />
      </ul>
    );
  }
  const against = projects.filter((place) => place.against !== undefined);
  if (against.length === 0)
    return (
      <Button variant="danger" onClick={onAsk}>
        Erase your account…
      </Button>
    );
  return (
    <>
      <p>Your account cannot be erased yet:</p>
      <ul className="mt-1 list-disc pl-5 text-muted">
        {against.map((place) => (
          <li key={place.membership} className="[overflow-wrap:anywhere]">
            {place.against}
          </li>
        ))}
      </ul>
    </>
  );
}

const MOST_NAMED = 10;

function EraseDialog({ erasure, onClose }: { erasure: OwnErasure; onClose: () => void }) {
  const request = useRequestErasure();
  const { projects, waitDays, confirm } = erasure;
  const names = [...new Set(projects.map(({ project }) => project.display ?? ''))];
  const rest = names.length - MOST_NAMED;
  return (
    <ConfirmDialog
      danger
      title="Erase your account?"
      confirm="Erase my account"
      typed={confirm}
      onConfirm={async () => {
        await request.mutateAsync(confirm);
        toast({ title: 'Your account is to be erased', description: 'Until then you can take it back here.' });
      }}
      onClose={onClose}
    >
      <p>
        {waitDays === 0 ? 'At once' : <strong>In {waitDays === 1 ? 'a day' : `${waitDays} days`}</strong>} your
        password, passkeys, second steps, sessions, keys and apps <strong>are deleted for good</strong>, and you leave:
      </p>
      <ul aria-label="Projects that you leave" className="list-disc pl-5">
        {names.slice(0, MOST_NAMED).map((name) => (
          <li key={name} className="[overflow-wrap:anywhere]">
            {name}
          </li>
        ))}
        {rest > 0 ? <li>and {rest} more</li> : null}
      </ul>
      <p>
        What these projects keep of you, such as your record there and their audit log, is theirs and stays. A mail with
        a link that stops it is sent to you now; afterwards your address is free.
      </p>
    </ConfirmDialog>
  );
}
