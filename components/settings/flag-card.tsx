'use client';
import { type ReactNode, useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import type { FormProblem } from '#lib/client/api/form-errors.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { SettingsCard } from './settings-card.tsx';
import { useProjectSave } from './use-project-save.ts';

type FlagCardProps = {
  project: Stored<Project>;
  /** The name of the setting, which is true or false. */
  flag: string;
  id: string;
  title: string;
  description: string;
  label: string;
  /** It is on, unless it is set to false. */
  isUsual?: true;
  /** Below the switch. */
  note?: ReactNode;
  children: ReactNode;
};

/** One setting that is on or off. Each press is saved: what else the project is set to stays. */
export function FlagCard({ project, flag, id, title, description, label, isUsual, note, children }: FlagCardProps) {
  const { save, saving, conflict, takeTheirs } = useProjectSave(project);
  const [problem, setProblem] = useState<FormProblem>();
  const stored = project.setting ?? [];
  const isSet = (on: boolean) => stored.some(({ name, valueBoolean }) => name === flag && valueBoolean === on);
  const isOn = isUsual ? !isSet(false) : isSet(true);

  async function store(on: boolean) {
    setProblem(undefined);
    const setting = [...stored.filter(({ name }) => name !== flag), { name: flag, valueBoolean: on }];
    try {
      // Somebody else has changed the settings: theirs are shown, and the press is made again on them.
      if (!(await save({ setting }))) takeTheirs();
    } catch (error) {
      setProblem({ texts: [(error as Error).message] });
    }
  }

  return (
    <SettingsCard id={id} title={title} description={description} busy={saving}>
      <Toggle
        label={label}
        checked={isOn}
        disabled={saving || conflict !== undefined}
        onCheckedChange={(on) => void store(on)}
      >
        {children}
      </Toggle>
      {note}
      <FormProblemAlert problem={problem} />
    </SettingsCard>
  );
}
