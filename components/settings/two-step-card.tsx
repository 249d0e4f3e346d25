'use client';
import { useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { Button } from '#components/ui/button.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import type { FormProblem } from '#lib/client/api/form-errors.ts';
import { useDraft } from '#lib/client/api/use-draft.ts';
import { type FactorSettings, readFactorSettings, toFactorSettings } from '#lib/client/settings/factor-settings.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { SaveConflict } from './save-conflict.tsx';
import { SettingsCard } from './settings-card.tsx';
import { useProjectSave } from './use-project-save.ts';

const ROWS = [
  {
    name: 'required',
    label: 'Who must have it',
    note: 'They set it up when they next sign in; sessions that are open go on',
    options: [
      { value: 'none', label: 'Nobody: each decides' },
      { value: 'admins', label: 'Administrators' },
      { value: 'everyone', label: 'Everyone' },
    ],
  },
  {
    name: 'allowed',
    label: 'What may be set up',
    note: 'What somebody has already goes on working',
    options: [
      { value: 'totp', label: 'Authenticator app' },
      { value: 'email', label: 'Codes by e-mail' },
      { value: 'totp,email', label: 'Both' },
    ],
  },
] as const;

/** What the project asks of its members' sign-in, beside the password. */
export function TwoStepSettingsCard({ project }: { project: Stored<Project> }) {
  const { save, saving, conflict, takeTheirs } = useProjectSave(project);
  const [edits, setEdits] = useDraft<Partial<FactorSettings>>(`two-step:${project.id}`);
  const [problem, setProblem] = useState<FormProblem>();
  const stored = readFactorSettings(project);
  const chosen: FactorSettings = { ...stored, ...edits };
  const dirty = ROWS.some(({ name }) => chosen[name] !== stored[name]);

  async function store(over: Stored<Project> = project) {
    setProblem(undefined);
    try {
      if (await save({ setting: toFactorSettings(over, chosen) }, over)) setEdits(undefined);
    } catch (error) {
      const issues = error instanceof ApiError ? error.issues.map(({ text }) => text) : [];
      setProblem({ texts: issues.length > 0 ? issues : [(error as Error).message] });
    }
  }

  return (
    <SettingsCard
      id="two-step"
      title="Two-step sign-in"
      description="A code besides the password, so that a password alone opens nothing."
      busy={saving}
      footer={
        dirty && !conflict ? (
          <>
            <Button onClick={() => setEdits(undefined)}>Discard</Button>
            <Button variant="primary" busy={saving} onClick={() => void store()}>
              Save two-step sign-in
            </Button>
          </>
        ) : null
      }
    >
      <ul className="divide-y divide-line">
        {ROWS.map(({ name, label, note, options }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <div className="min-w-48 flex-1">
              <p className="font-medium">{label}</p>
              <p className="text-[0.8125rem] text-muted">{note}</p>
            </div>
            <Select
              aria-label={label}
              value={chosen[name]}
              options={options}
              onValueChange={(value) => setEdits({ ...edits, [name]: value })}
              className="w-full truncate sm:w-80"
            />
          </li>
        ))}
      </ul>
      {conflict ? (
        <SaveConflict
          rows={toRows(chosen, readFactorSettings(conflict.theirs))}
          onKeepMine={() => void store(conflict.theirs)}
          onTakeTheirs={() => {
            setEdits(undefined);
            takeTheirs();
          }}
        />
      ) : null}
      <FormProblemAlert problem={problem} />
    </SettingsCard>
  );
}

function toRows(mine: FactorSettings, theirs: FactorSettings) {
  return ROWS.filter(({ name }) => mine[name] !== theirs[name]).map(({ name, label, options }) => {
    const labelOf = (value: string) => options.find((option) => option.value === value)?.label ?? value;
    return { label, mine: labelOf(mine[name]), theirs: labelOf(theirs[name]) };
  });
}
