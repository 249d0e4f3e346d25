'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Progress } from '#components/ui/feedback/progress.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import { keys } from '#lib/client/api/query-keys.ts';
import { useHold } from '#lib/client/api/use-draft.ts';
import { givePatients } from '#lib/client/caregivers/caregivers.ts';
import type { CaregiverOutcome } from '#lib/protocol/caregivers/answers.ts';
import { type Chosen, PatientPicker } from './patient-picker.tsx';

export type CaregiversDialogProps = { projectId: string; members: readonly string[]; onClose: () => void };

const ACTS = [
  { value: 'add', label: 'Give access to' },
  { value: 'remove', label: 'Take away access to' },
] as const;

/** A policy for some patients, given to the chosen members in one step, or taken away. */
export function CaregiversDialog({ projectId, members, onClose }: CaregiversDialogProps) {
  const queries = useQueryClient();
  const policies = usePolicies(projectId).data ?? [];
  const [act, setAct] = useState<'add' | 'remove'>('add');
  const [policy, setPolicy] = useState('');
  const [parameter, setParameter] = useState('patient');
  const [patients, setPatients] = useState<readonly Chosen[]>([]);
  const [done, setDone] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [failed, setFailed] = useState<readonly Failure[]>([]);
  useHold(patients.length > 0);
  const busy = done !== undefined;
  const people = members.length === 1 ? 'one member' : `${members.length} members`;

  async function send() {
    const missing = policy === '' ? 'Choose a policy' : patients.length === 0 ? 'Choose a patient' : undefined;
    setProblem(missing);
    setFailed([]);
    if (missing) return;
    setDone(0);
    try {
      const request = {
        act,
        policy,
        parameter: parameter.trim(),
        patients: patients.map(({ reference }) => reference),
      };
      const rows = await whilePending(() => givePatients(projectId, { ...request, members }, setDone));
      const failures = rows.filter((row) => row.outcome === 'failed');
      const changed = rows.filter(({ outcome }) => outcome === 'changed').length;
      toast({ title: changed === 1 ? 'One member changed' : `${changed} members changed` });
      if (failures.length === 0) onClose();
      setFailed(failures);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'This failed');
    } finally {
      setDone(undefined);
      void queries.invalidateQueries({ queryKey: keys.members(projectId) });
    }
  }

  /** What a fault was told of is no longer what stands there. */
  const anew =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      setProblem(undefined);
      set(value);
    };

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Patients of ${people}`}
      className="max-w-lg"
      busy={busy}
      keep
    >
      <Form
        busy={busy}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        className="flex flex-col gap-4 pt-1"
      >
        {problem ? <Alert tone="danger">{problem}</Alert> : null}
        {failed.length > 0 ? <Failures failed={failed} /> : null}
        <Field label="What to do">
          <Select value={act} options={ACTS} onValueChange={anew(setAct)} className="w-full" />
        </Field>
        <PatientPicker projectId={projectId} chosen={patients} onChange={anew(setPatients)} />
        <Field label="By the policy" description="One that speaks of the patient, such as Patient?_id=%patient.id.">
          <Select
            value={policy}
            options={[
              { value: '', label: 'Choose a policy' },
              ...policies.map(({ reference, name }) => ({ value: reference, label: name })),
            ]}
            onValueChange={anew(setPolicy)}
            className="w-full"
          />
        </Field>
        <Field label="Its parameter" description="What the policy calls the patient, without the %.">
          <Input value={parameter} onValueChange={anew(setParameter)} autoComplete="off" className="max-w-48" />
        </Field>
        {busy ? <Progress label="Members done" value={done} max={members.length} /> : null}
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>{failed.length > 0 ? 'Close' : 'Cancel'}</Button>
          <SubmitButton busy={busy}>{act === 'add' ? 'Give access' : 'Take access away'}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

type Failure = Extract<CaregiverOutcome, { outcome: 'failed' }>;

/** Who was left as they are, by why. */
function Failures({ failed }: { failed: readonly Failure[] }) {
  const reasons = [...Map.groupBy(failed, ({ message }) => message)];
  return (
    <Alert
      tone="warn"
      title={failed.length === 1 ? 'One member was left as it is' : `${failed.length} members were left as they are`}
    >
      <ul className="list-disc pl-5">
        {reasons.map(([message, all]) => (
          <li key={message}>
            {all.length > 1 ? `${all.length}: ` : ''}
            {message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
