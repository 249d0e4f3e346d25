'use client';
import { z } from 'zod';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { advisePassword } from '#lib/client/door/password-advice.ts';
import { setPassword } from '#lib/client/door/password-links.ts';
import { chooseMembership, finishSignIn, startSignIn } from '#lib/client/door/sign-in.ts';
import type { LinkInfo, LinkSecret } from '#lib/protocol/answers/link.ts';
import type { LoginMembership } from '#lib/protocol/answers/login.ts';
import { DoorHeading } from './door-heading.tsx';
import { FormProblemAlert } from './form-problem.tsx';
import { InviteCard } from './invite-card.tsx';
import { NewPasswordField } from './password-field.tsx';
import { useDoorForm } from './use-door-form.ts';

export type SetPasswordFormProps = {
  link: LinkSecret;
  info: LinkInfo;
  /** Whose session this browser has, if any. */
  signedInAs?: string;
};

/** Accept an invitation, or set a new password: one form, two sets of words. Afterwards the person is signed in. */
export function SetPasswordForm({ link, info, signedInAs }: SetPasswordFormProps) {
  const personal = [info.name ?? '', info.email ?? ''];
  const invite = info.type === 'invite';
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    toSchema(personal),
    ['password'],
    async ({ password }) => {
      await setPassword(link, password);
      await enter(info, password);
    },
  );
  const firstName = info.name?.split(' ')[0];
  return (
    <>
      <DoorHeading title={invite ? (firstName ? `Welcome, ${firstName}` : 'You are invited') : 'Choose a new password'}>
        {invite ? 'Choose a password to accept the invitation.' : 'Your other sessions end when you save it.'}
      </DoorHeading>
      {invite ? <InviteCard info={info} /> : null}
      {signedInAs && info.name && signedInAs !== info.name ? (
        <Alert tone="info" className="mb-5">
          You are signed in as {signedInAs}. {invite ? 'Accepting' : 'Saving'} signs you in as {info.name}.
        </Alert>
      ) : null}
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-5">
        <FormProblemAlert problem={problem} />
        {info.email ? (
          <Field label="E-mail">
            <Input
              large
              readOnly
              type="email"
              name="email"
              autoComplete="username"
              defaultValue={info.email}
              className="bg-sunken text-muted"
            />
          </Field>
        ) : null}
        <NewPasswordField
          registration={form.register('password')}
          value={form.watch('password') ?? ''}
          personal={personal}
          error={errorOf('password')}
        />
        <SubmitButton size="lg" busy={busy}>
          {invite ? 'Accept invitation' : 'Save password'}
        </SubmitButton>
      </Form>
    </>
  );
}

function toSchema(personal: readonly string[]) {
  return z.object({
    password: z.string().superRefine((password, ctx) => {
      const { problem } = advisePassword(password, personal);
      if (problem) ctx.addIssue({ code: 'custom', message: problem });
    }),
  });
}

/** Signs in with what was just typed (WCAG 3.3.7). When that is not enough, the sign-in page goes on. */
async function enter(info: LinkInfo, password: string): Promise<void> {
  const project = info.project?.id;
  let target = `/signin?reason=password-set${project ? `&project=${project}` : ''}`;
  try {
    if (info.email) {
      const { attempt, result } = await startSignIn({ email: info.email, password, projectId: project });
      const membership = findMembership(result.memberships, project);
      const code = result.code ?? (membership && (await chooseMembership(attempt, membership.id)).code);
      if (code) {
        await finishSignIn(attempt, code);
        target = '/p';
      }
    }
  } catch {
    // The password is saved all the same: the sign-in page says so.
  }
  window.location.replace(target);
  await new Promise(() => undefined);
}

function findMembership(
  memberships: LoginMembership[] | undefined,
  projectId: string | undefined,
): LoginMembership | undefined {
  return memberships?.find((membership) => membership.project.reference === `Project/${projectId}`);
}
