'use client';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { focusCard, SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { useOwnAddress } from '#lib/client/account/address.ts';

const MergeDialog = dynamic(() => import('./merge-dialog.tsx').then((it) => it.MergeDialog), {
  ssr: false,
  loading: DialogLoading,
});

/** Somebody who was invited with two addresses makes one account of both. */
export function MergeCard() {
  const address = useOwnAddress();
  const [open, setOpen] = useState(false);
  const isStrong = address.data?.strong === true;
  const close = () => {
    setOpen(false);
    focusCard('merge');
  };
  return (
    <SettingsCard
      id="merge"
      title="Another account of yours"
      description="If you were invited with another address, too: take that account into this one."
      action={
        <Button disabled={!isStrong} onClick={() => setOpen(true)}>
          Merge an account
        </Button>
      }
    >
      <p className="text-[0.8125rem] text-muted">
        {isStrong || !address.data
          ? 'You sign in to the other account, see what happens, and confirm it. Accounts that belong to one project alone, as those of patients, stay as they are.'
          : 'This asks for more than a password: add a passkey or two-step sign-in above, and sign in with it.'}
      </p>
      {open ? <MergeDialog onClose={close} /> : null}
    </SettingsCard>
  );
}
