'use client';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { MailCode } from '#components/factors/mail-code.tsx';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { mailOwnCode, useRemoveFactor, useRenewRecoveryCodes } from '#lib/client/factors/own-factors.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import { recoveryCodesRequest } from '#lib/protocol/factors/requests.ts';

export type ConfirmByCodeProps = {
  doing: { name: 'remove'; method: FactorMethod } | { name: 'renew' };
  /** Where a code can be mailed to. */
  mayMail: string | undefined;
  /** With new recovery codes, if there are. */
  onDone: (codes?: string[]) => void;
  onCancel: () => void;
};

/** Whoever finds the browser open cannot weaken the account: a code of any way that is set up, or a recovery code, is asked for. */
export function ConfirmByCode({ doing, mayMail, onDone, onCancel }: ConfirmByCodeProps) {
  const remove = useRemoveFactor();
  const renew = useRenewRecoveryCodes();
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<{ token: string }>(
    recoveryCodesRequest,
    ['token'],
    async ({ token }) => {
      if (doing.name === 'renew') return onDone((await renew.mutateAsync({ token })).recoveryCodes);
      await remove.mutateAsync({ token, method: doing.method });
      toast({ title: 'Removed' });
      onDone();
    },
  );
  return (
    <>
      {mayMail ? <MailCode to={mayMail} send={mailOwnCode} /> : null}
      <Form busy={busy} onSubmit={onSubmit} className="flex max-w-md flex-col gap-5">
        <FormProblemAlert problem={problem} />
        <Field
          label="Code"
          description={
            doing.name === 'renew'
              ? 'Six digits, or a recovery code. The codes that you have now end.'
              : 'Six digits, or a recovery code. Where a second step is required, you set one up again when you next sign in.'
          }
          error={errorOf('token')}
        >
          <Input
            large
            autoFocus
            autoComplete="one-time-code"
            spellCheck={false}
            className="font-mono"
            {...form.register('token')}
          />
        </Field>
        <div className="flex gap-2">
          <SubmitButton busy={busy} variant={doing.name === 'remove' ? 'danger' : 'primary'}>
            {doing.name === 'remove' ? 'Remove' : 'Make new codes'}
          </SubmitButton>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </Form>
    </>
  );
}
