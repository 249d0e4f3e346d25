'use client';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { focusCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useRemovePasskey } from '#lib/client/passkeys/passkeys.ts';
import type { Passkey } from '#lib/protocol/passkeys/answers.ts';
import { RenamePasskey } from './rename-passkey.tsx';

/** `known`: the browser can add one. */
export function PasskeyList({ passkeys, known }: { passkeys: readonly Passkey[]; known: boolean }) {
  const [asked, setAsked] = useState<{ what: 'rename' | 'remove'; passkey: Passkey }>();
  const remove = useRemovePasskey();
  if (passkeys.length === 0) {
    const empty = known ? 'You have none yet.' : 'You have none yet, and this browser does not know them.';
    return <p className="text-muted">{empty}</p>;
  }
  return (
    <>
      <ul aria-label="Passkeys" className="divide-y divide-line">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onAsk={(what) => setAsked({ what, passkey })} />
        ))}
      </ul>
      {asked?.what === 'rename' ? <RenamePasskey passkey={asked.passkey} onClose={() => setAsked(undefined)} /> : null}
      {asked?.what === 'remove' ? (
        <ConfirmDialog
          danger
          title={`Remove ${asked.passkey.name}?`}
          confirm="Remove the passkey"
          onConfirm={async () => {
            await remove.mutateAsync(asked.passkey.id);
            toast({ title: 'Passkey removed' });
            focusCard('passkeys');
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>It no longer signs you in. Your device may go on offering it until you delete it there, too.</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

type RowProps = { passkey: Passkey; onAsk: (what: 'rename' | 'remove') => void };

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt, backedUp }, onAsk }: RowProps) {
  return (
    <ListRow about={id} className="flex min-h-14 flex-wrap items-center gap-3 py-2">
      <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-sunken text-muted">
        <KeyRound className="size-4.5" aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1 basis-44">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium">{name}</span>
          {backedUp ? <Badge>Backed up</Badge> : null}
        </p>
        <p className="text-[0.8125rem] text-muted">
          added <Time at={createdAt} /> · {lastUsedAt ? <LastUsed at={lastUsedAt} /> : 'never used'}
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="sm" aria-label={`Rename ${name}`} onClick={() => onAsk('rename')}>
          Rename
        </Button>
        <Button size="sm" aria-label={`Remove ${name}`} onClick={() => onAsk('remove')}>
          Remove
        </Button>
      </div>
    </ListRow>
  );
}

function LastUsed({ at }: { at: string }) {
  return (
    <>
      last used <Time at={at} />
    </>
  );
}
