'use client';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { usePatients } from '#lib/client/door/patients.ts';
import type { Authorization, FoundPatient } from '#lib/protocol/answers/authorization.ts';
import type { PatientFilter } from '#lib/protocol/launch/requests.ts';
import type { useDecision } from '../consent/use-decision.ts';
import { DoorHeading } from '../door/door-heading.tsx';
import { FormProblemAlert } from '../door/form-problem.tsx';
import { PatientList } from './patient-list.tsx';

type Props = {
  query: string;
  asked: Authorization;
  membership: string | undefined;
  decision: ReturnType<typeof useDecision>;
  /** To what is asked before, where something is. */
  onBack?: () => void;
};

/** About whom the app is to be: found by name, day of birth or number, among those whom the person may read. */
export function PatientStep({ query, asked, membership, decision, onBack }: Props) {
  const { answer, busy, problem } = decision;
  const [typed, setTyped] = useState({ name: '', birthDate: '', identifier: '' });
  const [chosen, setChosen] = useState<FoundPatient>();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const change = (field: keyof PatientFilter) => (event: { target: { value: string } }) => {
    const { value } = event.target;
    setTyped((before) => ({ ...before, [field]: value }));
    setChosen(undefined);
  };
  const filter = Object.fromEntries(Object.entries(typed).filter(([, value]) => value.trim() !== '')) as PatientFilter;
  const found = usePatients(query, membership, filter);
  const isOpen = busy === undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen && isOpen) answer('allow', membership, chosen.id);
      }}
    >
      <DoorHeading title="Which patient?">
        {asked.app.name} is about one patient, and sees records of nobody else through what it asks for that patient.
      </DoorHeading>
      <FormProblemAlert problem={problem} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" className="sm:col-span-2">
          <Input
            ref={first}
            large
            type="search"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            value={typed.name}
            onChange={change('name')}
          />
        </Field>
        <Field label="Date of birth" optional>
          <Input large type="date" value={typed.birthDate} onChange={change('birthDate')} />
        </Field>
        <Field label="Number" optional>
          <Input
            large
            type="search"
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            value={typed.identifier}
            onChange={change('identifier')}
          />
        </Field>
      </div>
      <PatientList found={found} isFiltered={Object.keys(filter).length > 0} chosen={chosen?.id} onChoose={setChosen} />
      <div className="flex flex-col gap-3">
        <Button type="submit" variant="primary" size="lg" busy={busy === 'allow'} disabled={!chosen || busy === 'deny'}>
          {chosen ? `Go on with ${chosen.name}` : 'Choose a patient'}
        </Button>
        {onBack ? (
          <Button size="lg" disabled={!isOpen} onClick={onBack}>
            Back
          </Button>
        ) : (
          <Button size="lg" busy={busy === 'deny'} disabled={busy === 'allow'} onClick={() => answer('deny')}>
            No, go back
          </Button>
        )}
      </div>
    </form>
  );
}
