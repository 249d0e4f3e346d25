'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useRequestMemberErasure } from '#lib/client/member/changes.ts';
import { useMemberFacts } from '#lib/client/members/facts.ts';
import type { MemberView } from './head.tsx';
import { SettingRow } from './setting-row.tsx';

/** The end of an account that is the project's own; of any other only its person asks for it. */
export function MemberErasure({ projectId, member, facts }: MemberView) {
  const fact = useMemberFacts(projectId, [member.id]).data?.get(member.id);
  const request = useRequestMemberErasure(projectId, member.id);
  const [asking, setAsking] = useState(false);
  const address = member.user.display?.includes('@') ? member.user.display : undefined;
  const isOurs = fact?.scope === 'project' && !fact.directory && address !== undefined;
  return (
    <SettingRow
      about={member.id}
      title="Erasure"
      action={
        isOurs ? (
          <Button onClick={() => setAsking(true)}>Erase the account…</Button>
        ) : (
          // As high as with its button: nothing moves when the account is known.
          <span className="h-9" />
        )
      }
    >
      {fact?.scope === 'server'
        ? 'Their account stands above projects: they erase it themselves, on their account page.'
        : 'Takes the account away for good, after a wait that its person can stop. The record here stays.'}
      {asking && address ? (
        <ConfirmDialog
          danger
          title={`Erase the account of ${facts.name}?`}
          confirm="Erase the account"
          typed={address}
          onConfirm={async () => {
            await request.mutateAsync(address);
            toast({ title: 'The account is to be erased', description: 'It waits below, where it can be taken back.' });
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            Their memberships end, and password, passkeys, second steps, sessions and keys{' '}
            <strong>are deleted for good</strong>. They are told now, by a mail with a link that stops it. Their record
            in this project and the audit log stay.
          </p>
        </ConfirmDialog>
      ) : null}
    </SettingRow>
  );
}
