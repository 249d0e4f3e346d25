'use client';
import { useId, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useConfirmMerge } from '#lib/client/account/merge.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import type { Merge, MergeBegun } from '#lib/protocol/account-merge/answers.ts';
import { MergeEffect } from './merge-effect.tsx';
import { MergeSecondStep, MergeSignIn } from './merge-steps.tsx';

type Step =
  | { name: 'sign-in' }
  | { name: 'code'; begun: MergeBegun; email: string }
  | { name: 'look'; handle: string; merge: Merge };

const ABOUT: Record<Step['name'], string> = {
  'sign-in': 'Sign in to the account that is to end. Nothing changes before you confirm it.',
  code: 'Show the second step of that account.',
  look: 'This is what happens. It cannot be taken back.',
};

/** Sign in to the other account, look at what merging does, confirm. */
export function MergeDialog({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [step, setStep] = useState<Step>({ name: 'sign-in' });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const confirm = useConfirmMerge();

  async function finish(handle: string) {
    setBusy(true);
    setProblem(undefined);
    try {
      const { from } = await whilePending(() => confirm(handle));
      toast({ title: 'The accounts are one', description: `${from} no longer signs in.` });
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The accounts were not merged');
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      keep
      busy={busy}
      onOpenChange={(open) => !open && onClose()}
      title="Merge another account"
      description={ABOUT[step.name]}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {step.name === 'look' ? (
            <Button variant="danger" busy={busy} onClick={() => void finish(step.handle)}>
              Merge the accounts
            </Button>
          ) : (
            <SubmitButton form={id} busy={busy}>
              Go on
            </SubmitButton>
          )}
        </>
      }
    >
      {step.name === 'sign-in' ? (
        <MergeSignIn id={id} onBusy={setBusy} onDone={(begun, email) => setStep({ name: 'code', begun, email })} />
      ) : step.name === 'code' ? (
        <MergeSecondStep
          id={id}
          begun={step.begun}
          email={step.email}
          onBusy={setBusy}
          onDone={(merge) => setStep({ name: 'look', handle: step.begun.handle, merge })}
        />
      ) : (
        <>
          {problem ? <Alert tone="danger">{problem}</Alert> : null}
          <MergeEffect merge={step.merge} />
        </>
      )}
    </Dialog>
  );
}
