'use client';
import { type ReactNode, useState } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { Button } from '#components/ui/button.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import type { FormProblem } from '#lib/client/api/form-errors.ts';
import type { ProjectEdit } from '#lib/client/settings/settings.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { SaveConflict, type SaveConflictProps } from './save-conflict.tsx';
import { SettingsCard } from './settings-card.tsx';
import { useProjectSave } from './use-project-save.ts';

export type ChosenCardProps = {
  project: Stored<Project>;
  id: string;
  title: string;
  description: string;
  /** What the button that saves says. */
  saveLabel: string;
  isDirty: boolean;
  /** Whether what is chosen can be saved at all. */
  isWhole?: boolean;
  /** What is chosen, over a project as it is stored now. */
  toEdit: (over: Stored<Project>) => ProjectEdit;
  /** What differs from the project that somebody else has saved meanwhile. */
  toRows: (theirs: Stored<Project>) => SaveConflictProps['rows'];
  onDiscard: () => void;
  children: ReactNode;
};

/** A card of choices that are saved together: Save and Discard once something is chosen, a conflict as a choice, refusals in words. */
export function ChosenCard(props: ChosenCardProps) {
  const { project, isDirty, isWhole = true, saveLabel, toEdit, toRows, onDiscard, children, ...frame } = props;
  const { save, saving, conflict, takeTheirs } = useProjectSave(project);
  const [problem, setProblem] = useState<FormProblem>();

  async function store(over: Stored<Project> = project) {
    setProblem(undefined);
    try {
      if (await save(toEdit(over), over)) onDiscard();
    } catch (error) {
      const issues = error instanceof ApiError ? error.issues.map(({ text }) => text) : [];
      setProblem({ texts: issues.length > 0 ? issues : [(error as Error).message] });
    }
  }

  return (
    <SettingsCard
      {...frame}
      busy={saving}
      footer={
        isDirty && !conflict ? (
          <>
            <Button onClick={onDiscard}>Discard</Button>
            <Button variant="primary" busy={saving} disabled={!isWhole} onClick={() => void store()}>
              {saveLabel}
            </Button>
          </>
        ) : null
      }
    >
      {children}
      {conflict ? (
        <SaveConflict
          rows={toRows(conflict.theirs)}
          onKeepMine={() => void store(conflict.theirs)}
          onTakeTheirs={() => {
            onDiscard();
            takeTheirs();
          }}
        />
      ) : null}
      <FormProblemAlert problem={problem} />
    </SettingsCard>
  );
}
