'use client';
import { NameDialog } from '#components/dialogs/name-dialog.tsx';
import { useRenamePasskey } from '#lib/client/passkeys/passkeys.ts';
import type { Passkey } from '#lib/protocol/passkeys/answers.ts';
import { renamePasskeyRequest } from '#lib/protocol/passkeys/requests.ts';

export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useRenamePasskey();
  return (
    <NameDialog
      title="Rename the passkey"
      schema={renamePasskeyRequest}
      name={passkey.name}
      onSave={(name) => rename.mutateAsync({ id: passkey.id, name })}
      onClose={onClose}
    />
  );
}
