'use client';
import { Building2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { whilePending } from '#lib/client/api/pending.ts';

/** The other way in for who has a password here, and a sign-in at their organisation. */
export function AtOrganisation({ disabled, onGo }: { disabled: boolean; onGo: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  return (
    <div className="mt-5 flex flex-col">
      <Button
        size="lg"
        busy={busy}
        disabled={disabled}
        onClick={async () => {
          setBusy(true);
          await whilePending(onGo).finally(() => setBusy(false));
        }}
      >
        <Building2 aria-hidden="true" />
        Sign in at your organisation
      </Button>
    </div>
  );
}
