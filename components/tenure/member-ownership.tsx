'use client';
import { useState } from 'react';
import type { MemberView } from '#components/member/head.tsx';
import { SettingRow } from '#components/member/setting-row.tsx';
import { Button } from '#components/ui/button.tsx';
import { AsCode } from '#components/ui/display/as-code.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useMe } from '#lib/client/frame/me.ts';
import { toHandOverCall, useHandOver } from '#lib/client/member/hand-over.ts';
import { toDateNote } from '#lib/client/members/date-note.ts';

/** For who owns the project, on the page of anybody else: they can have it. */
export function MemberOwnership({ projectId, member, facts, project }: MemberView) {
  const me = useMe().data?.membership;
  const [open, setOpen] = useState(false);
  const handOver = useHandOver(projectId, member.id);
  if (!me || me.user.reference !== project.owner || member.user.reference === project.owner) return null;
  const reason = findReason({ member, facts });
  return (
    <SettingRow
      about={member.id}
      title="Ownership of the project"
      reason={reason}
      action={reason ? null : <Button onClick={() => setOpen(true)}>Hand over ownership</Button>}
    >
      You own it: nobody demotes or removes you. Hand it over to another administrator, and they have that in your
      place.
      {open ? (
        <ConfirmDialog
          danger
          title={`Hand the project over to ${facts.name}?`}
          confirm="Hand over ownership"
          typed={facts.name}
          onConfirm={async () => {
            await handOver.mutateAsync();
            toast({ title: `${facts.name} owns the project now`, description: 'You go on as an administrator.' });
          }}
          onClose={() => setOpen(false)}
        >
          <p>
            It is theirs at once. You stay an administrator, whom others can demote or remove from then on; only{' '}
            {facts.name} can hand it back. Both of you get a mail.
          </p>
          <AsCode label="This as code" call={() => toHandOverCall(projectId, member.id)} />
        </ConfirmDialog>
      ) : null}
    </SettingRow>
  );
}

function findReason({ member, facts }: Pick<MemberView, 'member' | 'facts'>): string | undefined {
  if (!member.admin || member.active === false)
    return 'The next owner must be an active administrator: make them one first';
  if (facts.status !== 'active' && facts.status !== 'asking') return 'They have not accepted their invitation yet';
  return toDateNote(member) ? 'The next owner has no end, and is not on leave' : undefined;
}
