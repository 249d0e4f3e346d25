'use client';
import { Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { useEndKey, useOwnKeys } from '#lib/client/api-keys/keys.ts';
import type { ApiKeyRow, NewApiKey } from '#lib/protocol/api-keys/answers.ts';
import { KeyRows } from './key-rows.tsx';

const KeyForm = dynamic(() => import('./key-form.tsx').then((it) => it.KeyForm), {
  ssr: false,
  loading: DialogLoading,
});
const KeyDialog = dynamic(() => import('./key-dialog.tsx').then((it) => it.KeyDialog), {
  ssr: false,
  loading: DialogLoading,
});
const EndKeyDialog = dynamic(() => import('./end-key-dialog.tsx').then((it) => it.EndKeyDialog), {
  ssr: false,
  loading: DialogLoading,
});

/** Keys for one's own scripts in this project. Not shown where the project has none. */
export function OwnKeysCard({ projectId }: { projectId: string }) {
  const own = useOwnKeys(projectId);
  const end = useEndKey(projectId);
  const [making, setMaking] = useState(false);
  const [told, setTold] = useState<NewApiKey>();
  const [ending, setEnding] = useState<ApiKeyRow>();
  const { allowed = false, rows = [] } = own.data ?? {};
  if (!own.error && !allowed && rows.length === 0) return null;
  return (
    <SettingsCard
      id="api-keys"
      title="API keys"
      description="For scripts that should not know your password. A key has less than you: some records, for a time."
      action={
        allowed ? (
          <Button size="sm" onClick={() => setMaking(true)}>
            <Plus aria-hidden="true" />
            New key
          </Button>
        ) : null
      }
    >
      {own.error ? (
        <ErrorState error={own.error} what="your API keys" onRetry={() => void own.refetch()} />
      ) : rows.length === 0 ? (
        <p className="py-2 text-muted">You have none in this project.</p>
      ) : (
        <KeyRows rows={rows} onEnd={setEnding} />
      )}
      {making ? (
        <KeyForm
          projectId={projectId}
          onMade={(key) => {
            setMaking(false);
            setTold(key);
          }}
          onClose={() => setMaking(false)}
        />
      ) : null}
      {told ? <KeyDialog told={told} onClose={() => setTold(undefined)} /> : null}
      {ending ? (
        <EndKeyDialog
          row={ending}
          onConfirm={() => end.mutateAsync({ id: ending.id })}
          onClose={() => setEnding(undefined)}
        />
      ) : null}
    </SettingsCard>
  );
}
