'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { type ToldToken, useAddToken, useRevokeToken } from '#lib/client/scim/connections.ts';
import type { ScimConnectionRow, ScimTokenRow } from '#lib/protocol/answers/scim-connections.ts';

export type TokensDialogProps = {
  projectId: string;
  row: ScimConnectionRow;
  onMade: (token: ToldToken) => void;
  onClose: () => void;
};

/** To change a token without a gap: make one, tell the directory, take back the old one. */
export function TokensDialog({ projectId, row, onMade, onClose }: TokensDialogProps) {
  const add = useAddToken(projectId);
  const revoke = useRevokeToken(projectId);
  const [ending, end] = useState<ScimTokenRow>();
  if (ending) {
    return (
      <ConfirmDialog
        title={`Take back the token …${ending.hint}?`}
        confirm="Take back the token"
        danger
        onClose={() => end(undefined)}
        onConfirm={async () => {
          await revoke.mutateAsync({ id: row.id, tokenId: ending.id });
          toast({ title: `The token …${ending.hint} works no longer` });
        }}
      >
        <p>
          {row.tokens.length === 1 ? (
            <>
              It is the only one: <strong>{row.name} can do nothing</strong> until it is given another.
            </>
          ) : (
            <>
              A directory that still uses it <strong>is refused at once</strong>.
            </>
          )}
        </p>
      </ConfirmDialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Tokens of ${row.name}`}
      description="Make a new one, tell the directory, then take back the old one."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            variant="primary"
            busy={add.isPending}
            onClick={() => add.mutate({ id: row.id, name: row.name }, { onSuccess: onMade, onError: sayFailure })}
          >
            New token
          </Button>
        </>
      }
    >
      {row.tokens.length === 0 ? (
        <p className="py-2 text-muted">There is none: the directory can do nothing.</p>
      ) : (
        <ul aria-label="Tokens" className="divide-y divide-line rounded-lg border border-line">
          {row.tokens.map((token) => (
            <ListRow key={token.id} about={row.id} className="flex flex-wrap items-center gap-x-3 py-1.5 pr-2 pl-4">
              <div className="min-w-0 flex-1 basis-40">
                <p className="font-mono text-[0.8125rem]">…{token.hint}</p>
                <p className="text-[0.8125rem] text-muted">
                  made <Time at={token.createdAt} /> ·{' '}
                  {token.lastUsedAt ? (
                    <>
                      last used <Time at={token.lastUsedAt} />
                    </>
                  ) : (
                    'never used'
                  )}
                </p>
              </div>
              <Button
                size="sm"
                variant="ghost"
                aria-label={`Take back the token …${token.hint}`}
                onClick={() => end(token)}
              >
                Take back
              </Button>
            </ListRow>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
