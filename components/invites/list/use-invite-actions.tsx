'use client';
import { useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { whilePending } from '#lib/client/api/pending.ts';
import { keys } from '#lib/client/api/query-keys.ts';
import { extendInvite, handOverInvite, revokeInvite } from '#lib/client/invites/invites.ts';
import { resendInvite } from '#lib/client/member/change-member.ts';
import type { InviteRow } from '#lib/protocol/answers/invites.ts';
import type { InviteAction } from './facts.ts';

const LinkDialog = dynamic(() => import('./link-dialog.tsx').then((module) => module.LinkDialog), {
  ssr: false,
  loading: DialogLoading,
});
const CorrectDialog = dynamic(() => import('./correct-dialog.tsx').then((module) => module.CorrectDialog), {
  ssr: false,
  loading: DialogLoading,
});
const ConfirmDialog = dynamic(
  () => import('#components/ui/overlay/confirm-dialog.tsx').then((module) => module.ConfirmDialog),
  { ssr: false, loading: DialogLoading },
);

const DAYS = 7;

/** What can be done to an invitation. Render `dialogs` once. */
export function useInviteActions(projectId: string) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState<{ action: 'link' | 'revoke'; row: InviteRow }>();
  const [correcting, setCorrecting] = useState<InviteRow>();
  const [link, setLink] = useState<{ name: string; url: string }>();
  const refresh = async () => {
    const stale = [keys.invites(projectId), keys.members(projectId)];
    await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };

  async function act(action: InviteAction, row: InviteRow) {
    await whilePending(() => send(action, row), row.membershipId);
  }

  async function send(action: InviteAction, { linkId, membershipId, name }: InviteRow) {
    if (action === 'resend') {
      await resendInvite(projectId, membershipId);
      toast({ title: 'Invitation sent again', description: 'The earlier link no longer works.' });
    }
    if (action === 'extend' && linkId) {
      await extendInvite(projectId, linkId, DAYS);
      toast({ title: 'The link works for seven more days' });
    }
    if (action === 'revoke' && linkId) {
      await revokeInvite(projectId, linkId);
      toast({ title: 'Invitation taken back', description: 'Its link no longer works.' });
    }
    if (action === 'link' && linkId) setLink({ name, url: (await handOverInvite(projectId, linkId)).url });
    await refresh();
  }

  function run(action: InviteAction, row: InviteRow) {
    if (action === 'correct') return setCorrecting(row);
    if (action === 'link' || action === 'revoke') return setAsking({ action, row });
    act(action, row).catch((error: Error) => {
      sayFailure(error);
      void refresh();
    });
  }

  const dialogs: ReactNode = (
    <>
      {asking ? (
        <ConfirmDialog
          danger={asking.action === 'revoke'}
          title={
            asking.action === 'revoke' ? `Take back the invitation of ${asking.row.name}?` : 'Make a link to hand over?'
          }
          confirm={asking.action === 'revoke' ? 'Take it back' : 'Make the link'}
          onConfirm={() => act(asking.action, asking.row)}
          onClose={() => setAsking(undefined)}
        >
          <p>
            {asking.action === 'revoke'
              ? 'Its link stops working at once, and the membership is deactivated. You can invite the same person again.'
              : 'The link that was mailed stops working. Whoever holds the new one can enter as this person, until it is used or ends.'}
          </p>
        </ConfirmDialog>
      ) : null}
      {correcting ? (
        <CorrectDialog
          projectId={projectId}
          invite={correcting}
          onDone={refresh}
          onClose={() => setCorrecting(undefined)}
        />
      ) : null}
      {link ? <LinkDialog {...link} onClose={() => setLink(undefined)} /> : null}
    </>
  );
  return { run, dialogs };
}
