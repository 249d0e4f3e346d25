'use client';
import { useState } from 'react';
import type { MemberView } from '#components/member/head.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useEndMemberKeys, useMemberKeys } from '#lib/client/api-keys/keys.ts';
import type { ApiKeyRow } from '#lib/protocol/api-keys/answers.ts';
import { EndKeyDialog } from './end-key-dialog.tsx';
import { KeyRows } from './key-rows.tsx';

/** The keys that a member has made for scripts. Not shown of who has none. */
export function MemberKeys({ projectId, member, facts }: MemberView) {
  const keys = useMemberKeys(projectId, member.id);
  const end = useEndMemberKeys(projectId, member.id);
  const [asked, ask] = useState<ApiKeyRow | 'all'>();
  const rows = keys.data ?? [];
  if (!keys.error && rows.length === 0) return null;
  return (
    <section aria-labelledby="member-keys">
      <Card className="px-5 py-4">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-64">
            <h2 id="member-keys" className="font-semibold">
              API keys
            </h2>
            <p className="mt-0.5 text-muted">What {facts.name} has made for scripts. A key that ends stops at once.</p>
          </div>
          {rows.length > 0 ? <Button onClick={() => ask('all')}>End all keys</Button> : null}
        </div>
        {keys.error ? (
          <ErrorState error={keys.error} what="the API keys" onRetry={() => void keys.refetch()} />
        ) : (
          <KeyRows rows={rows} onEnd={ask} />
        )}
      </Card>
      {asked === 'all' ? (
        <ConfirmDialog
          title={`End all keys of ${facts.name}?`}
          confirm="End all keys"
          danger
          onClose={() => ask(undefined)}
          onConfirm={async () => {
            await end.mutateAsync({});
            toast({ title: 'Every key has ended' });
          }}
        >
          <p>
            Scripts that still use them <strong>are refused at once</strong>.
          </p>
        </ConfirmDialog>
      ) : asked ? (
        <EndKeyDialog row={asked} onConfirm={() => end.mutateAsync({ id: asked.id })} onClose={() => ask(undefined)} />
      ) : null}
    </section>
  );
}
