'use client';
import { useState } from 'react';
import type { MemberView } from '#components/member/head.tsx';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { type SafetyAct, useSafetyAct } from '#lib/client/member/safety.ts';

const ACTS: Record<SafetyAct, { button: string; confirm: string; done: string; text: string }> = {
  lock: {
    button: 'Lock',
    confirm: 'Lock them out',
    done: 'is locked out',
    text: 'Every session in this project ends at once, and nobody enters in their name until you let them in again.',
  },
  release: {
    button: 'Let in again',
    confirm: 'Let them in',
    done: 'may come in again',
    text: 'They have the same role and policies as before. The sessions that ended stay ended.',
  },
  secure: {
    button: 'Reset everything',
    confirm: 'Reset everything',
    done: 'has a mail to come in again',
    text: 'Password, two-step sign-in, passkeys and every session end, everywhere. They choose a new password by a link that goes to their address: be sure that it is theirs.',
  },
};

export function SafetyActs({ projectId, member, facts, locked }: MemberView & { locked: boolean }) {
  const act = useSafetyAct(projectId, member.id);
  const [asked, setAsked] = useState<SafetyAct>();
  const offered: SafetyAct[] = [...(facts.person ? (['secure'] as const) : []), locked ? 'release' : 'lock'];
  return (
    <>
      {offered.map((name) => (
        <Button key={name} variant={name === 'lock' ? 'danger' : 'secondary'} onClick={() => setAsked(name)}>
          {ACTS[name].button}
        </Button>
      ))}
      {asked ? (
        <ConfirmDialog
          danger={asked !== 'release'}
          title={`${ACTS[asked].confirm}?`}
          confirm={ACTS[asked].confirm}
          onConfirm={async () => {
            await act.mutateAsync(asked);
            toast({ title: `${facts.name} ${ACTS[asked].done}` });
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{ACTS[asked].text}</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
