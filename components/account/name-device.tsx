'use client';
import { useId } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useNameDevice } from '#lib/client/account/devices.ts';
import type { OwnDevice } from '#lib/protocol/devices/answers.ts';
import { nameDeviceRequest } from '#lib/protocol/devices/requests.ts';
import { toDeviceName } from './session-device.tsx';

export function NameDevice({ device, onClose }: { device: OwnDevice; onClose: () => void }) {
  const save = useNameDevice();
  const id = useId();
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    nameDeviceRequest,
    ['name'],
    async ({ name }) => {
      await save.mutateAsync({ id: device.id, name });
      onClose();
    },
    { defaultValues: { name: toDeviceName(device) } },
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Name this browser"
      description="Only you see the name."
      keep
      busy={busy}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton form={id} busy={busy}>
            Save the name
          </SubmitButton>
        </>
      }
    >
      <Form id={id} busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4">
        <FormProblemAlert problem={problem} />
        <Field label="Name" error={errorOf('name')}>
          <Input {...form.register('name')} autoComplete="off" />
        </Field>
      </Form>
    </Dialog>
  );
}
