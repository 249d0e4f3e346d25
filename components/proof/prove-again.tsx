'use client';
import { KeyRound } from 'lucide-react';
import { useId, useState } from 'react';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { MailCode } from '#components/factors/mail-code.tsx';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { PasswordInput } from '#components/ui/form/password-input.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { proveAgain, useProofMethods } from '#lib/client/account/proof.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import { mailOwnCode } from '#lib/client/factors/own-factors.ts';
import { knowsPasskeys, toPasskeyProblem } from '#lib/client/passkeys/problem.ts';
import { askForPasskey } from '#lib/client/passkeys/sign-in.ts';
import type { ProofMethod } from '#lib/protocol/proof/answers.ts';

type Typed = 'password' | 'token';

const SCHEMAS = {
  password: z.object({ password: z.string().min(1, 'Your password is needed') }),
  token: z.object({ token: z.string().trim().min(1, 'The code is needed') }),
};

/** Who is there, by what they have: password, passkey, or a code. */
export function ProveAgain({ onDone }: { onDone: (proven: boolean) => void }) {
  const id = useId();
  const proof = useProofMethods();
  const methods = proof.data?.methods ?? [];
  const [chosen, setChosen] = useState<Typed>();
  const typed = chosen ?? firstTyped(methods);
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onDone(false)}
      title="Is it you?"
      description="You signed in a while ago. Show once more who you are, and what you asked for is done."
      busy={busy}
      footer={
        <>
          <Button onClick={() => onDone(false)}>Cancel</Button>
          {typed ? (
            <Button type="submit" form={id} variant="primary" busy={busy}>
              Go on
            </Button>
          ) : null}
        </>
      }
    >
      {proof.data ? (
        <div className="flex flex-col gap-5">
          {typed === 'token' && methods.includes('email') ? <MailCode to={undefined} send={mailOwnCode} /> : null}
          {typed ? <TypedProof key={typed} id={id} what={typed} onBusy={setBusy} onDone={() => onDone(true)} /> : null}
          <OtherWays methods={methods} typed={typed} onChoose={setChosen} onDone={() => onDone(true)} />
          {methods.length === 0 ? (
            <p className="text-muted">Your identity provider knows you: sign out, and in again, to do this.</p>
          ) : null}
        </div>
      ) : proof.error ? (
        <ErrorState error={proof.error} what="how you can show it" onRetry={() => void proof.refetch()} />
      ) : (
        <SkeletonRegion label="Loading how you can show it">
          <Skeleton className="h-10" />
        </SkeletonRegion>
      )}
    </Dialog>
  );
}

function firstTyped(methods: readonly ProofMethod[]): Typed | undefined {
  if (methods.includes('password')) return 'password';
  return methods.includes('totp') || methods.includes('email') ? 'token' : undefined;
}

type TypedProps = { id: string; what: Typed; onBusy: (busy: boolean) => void; onDone: () => void };

function TypedProof({ id, what, onBusy, onDone }: TypedProps) {
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<{ password?: string; token?: string }>(
    SCHEMAS[what],
    [what],
    async (values) => {
      onBusy(true);
      try {
        await proveAgain({ [what]: values[what] ?? '' });
        onDone();
      } finally {
        onBusy(false);
      }
    },
  );
  return (
    <Form id={id} busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4">
      <FormProblemAlert problem={problem} />
      {what === 'password' ? (
        <Field label="Your password" error={errorOf('password')}>
          <PasswordInput {...form.register('password')} autoComplete="current-password" autoFocus />
        </Field>
      ) : (
        <Field label="Code of your authenticator app, or a recovery code" error={errorOf('token')}>
          <Input {...form.register('token')} autoComplete="one-time-code" spellCheck={false} autoFocus />
        </Field>
      )}
    </Form>
  );
}

type OtherProps = {
  methods: readonly ProofMethod[];
  typed: Typed | undefined;
  onChoose: (what: Typed) => void;
  onDone: () => void;
};

function OtherWays({ methods, typed, onChoose, onDone }: OtherProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function byPasskey() {
    setBusy(true);
    setProblem(undefined);
    try {
      await whilePending(async () => proveAgain({ response: (await askForPasskey()) as never }));
      return onDone();
    } catch (error) {
      setProblem(toPasskeyProblem(error));
    }
    setBusy(false);
  }

  const hasCode = methods.includes('totp') || methods.includes('email');
  return (
    <div className="flex flex-col items-start gap-2">
      {problem ? <Alert tone="danger">{problem}</Alert> : null}
      {methods.includes('passkey') && knowsPasskeys() ? (
        <Button busy={busy} onClick={() => void byPasskey()}>
          <KeyRound aria-hidden="true" />
          Use a passkey
        </Button>
      ) : null}
      {typed === 'password' && hasCode ? (
        <Button variant="link" onClick={() => onChoose('token')}>
          Use a code instead
        </Button>
      ) : null}
      {typed === 'token' && methods.includes('password') ? (
        <Button variant="link" onClick={() => onChoose('password')}>
          Use your password instead
        </Button>
      ) : null}
    </div>
  );
}
