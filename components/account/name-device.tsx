'use client';
import { NameDialog } from '#components/dialogs/name-dialog.tsx';
import { useNameDevice } from '#lib/client/account/devices.ts';
import type { OwnDevice } from '#lib/protocol/devices/answers.ts';
import { nameDeviceRequest } from '#lib/protocol/devices/requests.ts';
import { toDeviceName } from './session-device.tsx';

/** A name that is typed; none is for the button that takes it off. */
const typed = nameDeviceRequest.extend({ name: nameDeviceRequest.shape.name.unwrap() });

export function NameDevice({ device, onClose }: { device: OwnDevice; onClose: () => void }) {
  const save = useNameDevice();
  return (
    <NameDialog
      title="Name this browser"
      description="Only you see the name."
      schema={typed}
      name={toDeviceName(device)}
      onSave={(name) => save.mutateAsync({ id: device.id, name })}
      onClose={onClose}
    />
  );
}
