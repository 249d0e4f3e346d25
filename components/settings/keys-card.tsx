'use client';
import { useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import type { FormProblem } from '#lib/client/api/form-errors.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { SettingsCard } from './settings-card.tsx';
import { useProjectSave } from './use-project-save.ts';

const SETTING = 'apiKeys';

/** Whether people may have keys for their scripts. Each press is saved: what else the project is set to stays. */
export function KeysCard({ project }: { project: Stored<Project> }) {
  const { save, saving, conflict, takeTheirs } = useProjectSave(project);
  const [problem, setProblem] = useState<FormProblem>();
  const stored = project.setting ?? [];
  const isOn = stored.some(({ name, valueBoolean }) => name === SETTING && valueBoolean === true);

  async function store(on: boolean) {
    setProblem(undefined);
    const setting = [...stored.filter(({ name }) => name !== SETTING), { name: SETTING, valueBoolean: on }];
    try {
      // Somebody else has changed the settings: theirs are shown, and the press is made again on them.
      if (!(await save({ setting }))) takeTheirs();
    } catch (error) {
      setProblem({ texts: [(error as Error).message] });
    }
  }

  return (
    <SettingsCard
      id="api-keys"
      title="API keys"
      description="Scripts of people, with a key that has less than its person and ends within a year."
      busy={saving}
    >
      <Toggle
        label="People may have API keys"
        checked={isOn}
        disabled={saving || conflict !== undefined}
        onCheckedChange={(on) => void store(on)}
      >
        They make them on their Account page. Turned off, keys that there are stop working at once.
      </Toggle>
      <FormProblemAlert problem={problem} />
    </SettingsCard>
  );
}
