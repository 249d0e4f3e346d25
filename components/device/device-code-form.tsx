'use client';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { readDevice, toDeviceSignIn } from '#lib/client/door/device.ts';
import type { DeviceQuestion } from '#lib/protocol/answers/authorization.ts';
import { deviceCodeRequest } from '#lib/protocol/requests/authorization.ts';
import { DoorHeading } from '../door/door-heading.tsx';
import { FormProblemAlert } from '../door/form-problem.tsx';
import { useDoorForm } from '../door/use-door-form.ts';

type Props = { userCode: string | undefined; onFound: (userCode: string, asked: DeviceQuestion) => void };

export function DeviceCodeForm({ userCode, onFound }: Props) {
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    deviceCodeRequest,
    ['userCode'],
    async (values) => {
      try {
        onFound(values.userCode, await readDevice(values.userCode));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401) throw error;
        window.location.replace(toDeviceSignIn(values.userCode));
        await new Promise(() => undefined);
      }
    },
    userCode ? { defaultValues: { userCode } } : {},
  );
  return (
    <>
      <DoorHeading title="Let a device in">
        {userCode
          ? 'Go on only if the device in front of you shows this very code.'
          : 'Type the code that the device in front of you shows.'}
      </DoorHeading>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-5">
        <FormProblemAlert problem={problem} />
        <Field label="Code" description="Eight letters" error={errorOf('userCode')}>
          <Input
            large
            autoFocus={!userCode}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
            className="font-mono uppercase tracking-[0.2em]"
            {...form.register('userCode')}
          />
        </Field>
        <SubmitButton size="lg" busy={busy}>
          Continue
        </SubmitButton>
      </Form>
    </>
  );
}
