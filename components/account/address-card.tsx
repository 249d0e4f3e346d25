'use client';
import { useState } from 'react';
import { WaitingChange } from '#components/account-changes/waiting-change.tsx';
import { EmailDialog } from '#components/member/email-dialog.tsx';
import { focusCard, SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { cn } from '#components/ui/cn.ts';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useCancelOwnChange, useOwnAddress, useRequestAddress } from '#lib/client/account/address.ts';
import type { OwnAddress } from '#lib/protocol/account-changes/answers.ts';

/** The address that one signs in with, also for who has lost it. */
export function AddressCard() {
  const address = useOwnAddress();
  const [open, setOpen] = useState(false);
  const waits = address.data?.changes.some(({ kind }) => kind === 'address') ?? true;
  const isPossible = address.data?.strong === true && !waits;
  return (
    <SettingsCard
      id="address"
      title="Sign-in address"
      description="Another one is confirmed by a mail to it, and waits, while the present one can stop it."
      action={
        <Button disabled={!isPossible} onClick={() => setOpen(true)}>
          Change address
        </Button>
      }
    >
      {address.data ? (
        <div className={ROOM}>
          <Address address={address.data} />
        </div>
      ) : address.error ? (
        <ErrorState error={address.error} what="your address" onRetry={() => void address.refetch()} />
      ) : (
        <SkeletonRegion label="Loading your address" className={cn('flex flex-col gap-2', ROOM)}>
          <Skeleton className="h-5 w-56" />
          <Skeleton className="h-5 w-72 max-w-full" />
        </SkeletonRegion>
      )}
      {open && address.data ? <ChangeAddress hours={address.data.waitHours} onClose={() => setOpen(false)} /> : null}
    </SettingsCard>
  );
}

/** As high before as after: what stands below does not move. */
const ROOM = 'min-h-12 max-sm:min-h-22';

function Address({ address: { email, strong, changes: all } }: { address: OwnAddress }) {
  // The end of the account stands in a card of its own.
  const changes = all.filter(({ kind }) => kind !== 'erase');
  const cancel = useCancelOwnChange();
  const takeBack = async (id: string) => {
    try {
      await cancel.mutateAsync(id);
      toast({ title: 'It is taken back' });
      focusCard('address');
    } catch (error) {
      toast({ tone: 'danger', title: 'It was not taken back', description: (error as Error).message });
    }
  };
  return (
    <>
      <p className="font-medium [overflow-wrap:anywhere]">{email ?? 'None'}</p>
      <p className="mt-0.5 text-[0.8125rem] text-muted">
        {strong
          ? 'You have shown more than a password, as another address asks for.'
          : 'Another address asks for more than a password: add a passkey or two-step sign-in below, and sign in with it.'}
      </p>
      {changes.length > 0 ? (
        <ul aria-label="Changes that wait" className="mt-3 divide-y divide-line border-line border-t">
          {changes.map((change) => (
            <WaitingChange key={change.id} own change={change} onCancel={() => takeBack(change.id)} />
          ))}
        </ul>
      ) : null}
    </>
  );
}

function ChangeAddress({ hours, onClose }: { hours: number; onClose: () => void }) {
  const request = useRequestAddress();
  const send = async (email: string) => {
    await request.mutateAsync(email);
    toast({ title: 'A mail is on its way', description: 'Open its link to confirm that the new address is yours.' });
    onClose();
  };
  const when = hours === 0 ? 'with the confirmation' : hours % 24 === 0 ? `in ${hours / 24} days` : `in ${hours} hours`;
  return (
    <EmailDialog
      title="Change your address?"
      description={`You sign in with the new one ${when}, once it is confirmed. The present one hears of it now and can stop it; every session ends when it is done.`}
      label="New address"
      action="Send the mail"
      send={send}
      onClose={onClose}
    />
  );
}
