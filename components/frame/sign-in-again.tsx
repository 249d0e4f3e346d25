'use client';
import { useQueryClient } from '@tanstack/react-query';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { PasswordInput } from '#components/ui/form/password-input.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { api } from '#lib/client/api/api.ts';
import { ApiError } from '#lib/client/api/api-error.ts';
import { keys } from '#lib/client/api/query-keys.ts';
import { chooseMembership, finishSignIn, startSignIn } from '#lib/client/door/sign-in.ts';
import type { FrameMe } from '#lib/client/frame/me.ts';
import { loginRequest } from '#lib/protocol/requests/auth.ts';

const schema = loginRequest
  .pick({ email: true, password: true })
  .refine(({ password }) => password !== '', { path: ['password'], message: 'Enter your password' });

export function SignInAgain({ projectId, onDone }: { projectId: string; onDone: (regained: boolean) => void }) {
  const queries = useQueryClient();
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(schema, ['email', 'password'], async (values) => {
    await enter(projectId, values);
    const before = queries.getQueryData<FrameMe>(keys.me);
    const me = await api<FrameMe>('/auth/me', { signingIn: true });
    // Somebody else: what stands on the page is not theirs.
    if (before && before.membership.id !== me.membership.id) return window.location.reload();
    queries.setQueryData(keys.me, me);
    onDone(true);
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onDone(false)}
      title="Your session has ended"
      description="Sign in to go on. The page stays as it is, with everything you typed."
      footer={
        <>
          <Button onClick={() => onDone(false)}>Not now</Button>
          <Button type="submit" form="sign-in-again" variant="primary" busy={busy}>
            Sign in
          </Button>
        </>
      }
    >
      <Form id="sign-in-again" busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4">
        <FormProblemAlert problem={problem} />
        <Field label="E-mail" error={errorOf('email')}>
          <Input type="email" autoComplete="username" spellCheck={false} autoFocus {...form.register('email')} />
        </Field>
        <Field label="Password" error={errorOf('password')}>
          <PasswordInput autoComplete="current-password" {...form.register('password')} />
        </Field>
      </Form>
    </Dialog>
  );
}

async function enter(projectId: string, values: { email: string; password: string }): Promise<void> {
  const { attempt, result } = await startSignIn({ ...values, projectId });
  const here = result.memberships?.find(({ project }) => project.reference === `Project/${projectId}`);
  const code = result.code ?? (here && (await chooseMembership(attempt, here.id)).code);
  if (!code) throw new ApiError(403, [{ text: 'This account does not belong to this project.' }]);
  await finishSignIn(attempt, code);
}
