'use client';
import Link from 'next/link';
import { useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { useProjectSave } from '#components/settings/use-project-save.ts';
import { Toggle } from '#components/ui/form/toggle.tsx';
import type { FormProblem } from '#lib/client/api/form-errors.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { RECORD_ERASURE } from '#lib/protocol/record-erasure/requests.ts';

/** Whether records of patients may be erased at all. Each press is saved: what else the project is set to stays. */
export function RecordErasureCard({ project }: { project: Stored<Project> }) {
  const { save, saving, conflict, takeTheirs } = useProjectSave(project);
  const [problem, setProblem] = useState<FormProblem>();
  const stored = project.setting ?? [];
  const isOn = stored.some(({ name, valueBoolean }) => name === RECORD_ERASURE && valueBoolean === true);

  async function store(on: boolean) {
    setProblem(undefined);
    const setting = [
      ...stored.filter(({ name }) => name !== RECORD_ERASURE),
      { name: RECORD_ERASURE, valueBoolean: on },
    ];
    try {
      // Somebody else has changed the settings: theirs are shown, and the press is made again on them.
      if (!(await save({ setting }))) takeTheirs();
    } catch (error) {
      setProblem({ texts: [(error as Error).message] });
    }
  }

  return (
    <SettingsCard
      id="record-erasure"
      title="Erasure of records"
      description="Of a patient who asks for it, where the law lets you. Often it does not: records of treatment are to be kept for years."
      action={
        <Link
          href={`/p/${project.id}/settings/erasure`}
          className="text-accent-text text-sm underline underline-offset-3"
        >
          Erase a record…
        </Link>
      }
      busy={saving}
    >
      <Toggle
        label="Administrators may erase records"
        checked={isOn}
        disabled={saving || conflict !== undefined}
        onCheckedChange={(on) => void store(on)}
      >
        Turn it on when the time for which you must keep them is over, or for as long as one erasure takes.
      </Toggle>
      <FormProblemAlert problem={problem} />
    </SettingsCard>
  );
}
