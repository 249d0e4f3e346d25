'use client';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { useDraft } from '#lib/client/api/use-draft.ts';
import { hasPatientDefault, readRegistration, toRegistration } from '#lib/client/settings/registration.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { ChosenCard } from './chosen-card.tsx';

const LABEL = 'Who may register';
const OPTIONS = [
  { value: 'closed', label: 'Nobody: people are invited' },
  { value: 'patients', label: 'Anybody, as a patient' },
] as const;

/** Whether people come in by themselves. */
export function RegistrationCard({ project }: { project: Stored<Project> }) {
  const [edit, setEdit] = useDraft<'closed' | 'patients'>(`registration:${project.id}`);
  const stored = readRegistration(project);
  const chosen = edit ?? stored;

  return (
    <ChosenCard
      project={project}
      id="registration"
      title="Registration"
      description="Whether people come in by themselves, through an app of this project."
      saveLabel="Save registration"
      isDirty={chosen !== stored}
      toEdit={(over) => ({ setting: toRegistration(over, chosen) })}
      toRows={(theirs) => [{ label: LABEL, mine: labelOf(chosen), theirs: labelOf(readRegistration(theirs)) }]}
      onDiscard={() => setEdit(undefined)}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
        <div className="min-w-48 flex-1">
          <p className="font-medium">{LABEL}</p>
          <p className="text-[0.8125rem] text-muted">
            They get a record of their own, and the default access of patients
          </p>
        </div>
        <Select
          aria-label={LABEL}
          value={chosen}
          options={OPTIONS}
          onValueChange={setEdit}
          className="w-full truncate sm:w-80"
        />
      </div>
      {chosen === 'patients' && !hasPatientDefault(project) ? (
        <Alert tone="warn">Nobody can register until patients have a default access, above.</Alert>
      ) : null}
    </ChosenCard>
  );
}

function labelOf(value: 'closed' | 'patients'): string {
  return OPTIONS.find((option) => option.value === value)?.label ?? value;
}
