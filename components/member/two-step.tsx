'use client';
import { useState } from 'react';
import { METHOD_NAMES } from '#components/factors/method-names.ts';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useResetFactor } from '#lib/client/member/reset-factor.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import type { MemberView } from './head.tsx';
import { SettingRow } from './setting-row.tsx';

/** Whether this member proves more than a password, and the way back in for who has lost their phone. */
export function MemberTwoStep({ projectId, member, facts }: MemberView) {
  const [asked, setAsked] = useState<FactorMethod | 'passkeys'>();
  const reset = useResetFactor(projectId, member.id);
  const { factors, name } = facts;
  const isOn = factors !== undefined && factors.length > 0;
  return (
    <>
      <SettingRow
        about={member.id}
        title={
          <>
            Two-step sign-in{' '}
            {factors ? (
              <Badge tone={isOn ? 'good' : 'neutral'} dot className="ml-1.5">
                {isOn ? 'On' : 'Off'}
              </Badge>
            ) : null}
          </>
        }
        action={
          facts.person ? (
            <div className="flex flex-wrap gap-2">
              {factors?.map((method) => (
                <Button key={method} onClick={() => setAsked(method)}>
                  Reset {METHOD_NAMES[method].title.toLowerCase()}
                </Button>
              ))}
              <Button onClick={() => setAsked('passkeys')}>Remove passkeys</Button>
            </div>
          ) : null
        }
      >
        {isOn
          ? `Set up: ${factors.map((method) => METHOD_NAMES[method].title.toLowerCase()).join(', ')}.`
          : 'They sign in with their password alone, unless this project asks for more.'}
      </SettingRow>
      {asked === 'passkeys' ? (
        <ConfirmDialog
          danger
          title={`Remove all passkeys of ${name}?`}
          confirm="Remove passkeys"
          onConfirm={async () => {
            const waits = await reset.mutateAsync(asked);
            const title = waits ? 'The removal waits: it stands below' : 'The passkeys are removed';
            toast({ title, description: `${name} hears of it by mail.` });
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>
            For a device that is lost: be sure that it is {name} who asks. They sign in with their password then, and
            who has none asks for one by “Forgot it?”.
          </p>
        </ConfirmDialog>
      ) : asked ? (
        <ConfirmDialog
          danger
          title={`Reset two-step sign-in of ${name}?`}
          confirm={`Reset ${METHOD_NAMES[asked].title.toLowerCase()}`}
          onConfirm={async () => {
            const waits = await reset.mutateAsync(asked);
            const title = waits ? 'The reset waits: it stands below' : 'Two-step sign-in is reset';
            toast({ title, description: `${name} hears of it by mail.` });
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>
            For a phone that is lost or new: be sure that it is {name} who asks. Until they set it up again, their
            password alone opens the account.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
