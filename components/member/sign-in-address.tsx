'use client';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { useMemberFacts } from '#lib/client/members/facts.ts';
import type { MemberView } from './head.tsx';
import { SettingRow } from './setting-row.tsx';

const ChangeEmailDialog = dynamic(() => import('./change-email-dialog.tsx').then((it) => it.ChangeEmailDialog), {
  ssr: false,
  loading: DialogLoading,
});

const WHOSE = {
  project: 'Their account is this project’s own.',
  server: 'Their account stands above projects, so only they change it.',
};

/** Whose account it is decides who changes the address: the project for its own people, everybody else by themselves. */
export function SignInAddress({ projectId, member }: MemberView) {
  const fact = useMemberFacts(projectId, [member.id]).data?.get(member.id);
  const { scope, directory } = fact ?? {};
  const [changing, setChanging] = useState(false);
  const { reference = '', display } = member.user;
  return (
    <SettingRow
      about={member.id}
      title="E-mail to sign in with"
      action={
        scope === 'project' && !directory ? (
          <Button onClick={() => setChanging(true)}>Change e-mail</Button>
        ) : (
          // As high as with its button: nothing moves when the account is known.
          <span className="h-9" />
        )
      }
    >
      <span className="block text-ink [overflow-wrap:anywhere]">{display?.includes('@') ? display : 'None'}</span>
      {directory ? `${directory} manages it: change it there.` : scope ? WHOSE[scope] : '\u00a0'}
      {changing ? (
        <ChangeEmailDialog projectId={projectId} user={reference} onClose={() => setChanging(false)} />
      ) : null}
    </SettingRow>
  );
}
