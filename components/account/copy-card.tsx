'use client';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';

/** What is kept of oneself, as a file. */
export function CopyCard() {
  const [busy, setBusy] = useState(false);
  async function run() {
    setBusy(true);
    try {
      const { exportAccount } = await import('#lib/client/account/export-account.ts');
      await exportAccount();
      toast({ title: 'Exported', description: 'The file is with your downloads.' });
    } catch (error) {
      toast({ title: 'Not exported', description: error instanceof Error ? error.message : undefined, tone: 'danger' });
    } finally {
      setBusy(false);
    }
  }
  return (
    <SettingsCard
      id="copy"
      title="Your data"
      description="What is kept of you here, as one file (JSON): account, memberships, profile, sessions, browsers, passkeys, keys, requests for access, apps, and what you did about yourself."
    >
      <Button busy={busy} onClick={() => void run()}>
        <Download aria-hidden="true" />
        Export your data
      </Button>
    </SettingsCard>
  );
}
