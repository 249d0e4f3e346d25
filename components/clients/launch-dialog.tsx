'use client';
import { useState } from 'react';
import { PatientList } from '#components/patients/patient-list.tsx';
import { Button } from '#components/ui/button.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useLaunch } from '#lib/client/clients/client.ts';
import { useOwnPatients } from '#lib/client/door/patients.ts';
import type { FoundPatient } from '#lib/protocol/answers/authorization.ts';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';

export type LaunchDialogProps = { projectId: string; client: ClientRow; onClose: () => void };

/** Opens the app about a patient, in a tab of its own, for whoever presses (SMART App Launch, EHR launch). */
export function LaunchDialog({ projectId, client, onClose }: LaunchDialogProps) {
  const [typed, setTyped] = useState('');
  const [chosen, choose] = useState<FoundPatient>();
  const name = typed.trim();
  const found = useOwnPatients(projectId, name ? { name } : {});
  const launch = useLaunch();
  const { data: started } = launch;

  async function start(patient: FoundPatient) {
    try {
      const { location } = await launch.mutateAsync({ clientId: client.id, patient: patient.id });
      window.open(location, '_blank', 'noopener,noreferrer');
    } catch (error) {
      sayFailure(error as Error);
    }
  }

  if (started) {
    return (
      <Dialog
        open
        onOpenChange={(open) => open || onClose()}
        title={`${client.name} is opened`}
        footer={
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        }
      >
        <p className="pt-1">
          About {chosen?.name}, in another tab. Nothing has opened?{' '}
          <a href={started.location} target="_blank" rel="noopener noreferrer" className="underline underline-offset-3">
            Open {client.name} here
          </a>
          , once and within a quarter of an hour.
        </p>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Launch ${client.name}`}
      description="About which patient? You sign in there as yourself."
    >
      <form
        className="pt-1"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen) void start(chosen);
        }}
      >
        <Field label="Name of the patient">
          <Input
            type="search"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              choose(undefined);
            }}
          />
        </Field>
        <PatientList found={found} isFiltered={name !== ''} chosen={chosen?.id} onChoose={choose} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={launch.isPending} disabled={!chosen}>
            Launch
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
