'use client';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { useFormDraft } from '#lib/client/api/use-form-draft.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { projectName } from '#lib/protocol/requests/project-name.ts';
import { SaveConflict } from './save-conflict.tsx';
import { SettingsCard } from './settings-card.tsx';
import { useProjectSave } from './use-project-save.ts';

/** A name that the project has already may stay: a client may give longer and shorter ones. */
const toSchema = (stored: string | undefined) =>
  z.object({
    name: z
      .string()
      .trim()
      .superRefine((name, context) => {
        const { error } = projectName.safeParse(name);
        if (error && (!name || name !== stored))
          context.addIssue({ code: 'custom', message: error.issues[0]?.message });
      }),
    description: z.string().trim().max(4096, 'At most 4,096 characters'),
  });
const FIELDS = ['name', 'description'] as const;

type Values = z.input<ReturnType<typeof toSchema>>;

const toValues = ({ name = '', description = '' }: { name?: string; description?: string }): Values => ({
  name,
  description,
});

export function GeneralCard({ project }: { project: Stored<Project> }) {
  const { save, saving, conflict, takeTheirs } = useProjectSave(project);
  const { form, onSubmit, problem, startOver, goOn, errorOf, busy } = useDoorForm(
    toSchema(project.name),
    FIELDS,
    async (values) => {
      if (await save(values)) goOn(values);
    },
    { values: toValues(project), resetOptions: { keepDirtyValues: true } },
  );
  useFormDraft(form, `general:${project.id}`);
  const dirty = form.formState.isDirty;
  const take = () => {
    startOver(toValues(conflict?.theirs ?? project));
    takeTheirs();
  };
  return (
    <Form busy={busy || saving} onSubmit={onSubmit}>
      <SettingsCard
        id="general"
        title="General"
        description="How this project is called wherever it is shown."
        footer={
          dirty && !conflict ? (
            <>
              <Button onClick={() => startOver(toValues(project))}>Discard</Button>
              <SubmitButton busy={busy}>Save general settings</SubmitButton>
            </>
          ) : null
        }
      >
        <div className="flex flex-col gap-5">
          <FormProblemAlert problem={problem} />
          <Field label="Name" error={errorOf('name')}>
            <Input {...form.register('name')} autoComplete="off" />
          </Field>
          <Field label="Description" optional error={errorOf('description')}>
            <Input {...form.register('description')} autoComplete="off" />
          </Field>
          <div>
            <p className="mb-1 font-medium">Project id</p>
            <p className="flex min-w-0 items-center gap-1">
              <code className="min-w-0 truncate font-mono text-muted text-xs">{project.id}</code>
              <CopyButton value={project.id} label="Copy project id" />
            </p>
          </div>
        </div>
        {conflict ? (
          <SaveConflict
            rows={toRows(form.getValues(), toValues(conflict.theirs))}
            onTakeTheirs={take}
            onKeepMine={() => {
              const mine = form.getValues();
              void save(mine, conflict.theirs).then((saved) => saved && startOver(mine));
            }}
          />
        ) : null}
      </SettingsCard>
    </Form>
  );
}

function toRows(mine: Values, theirs: Values) {
  return [
    { label: 'Name', mine: mine.name, theirs: theirs.name },
    { label: 'Description', mine: mine.description, theirs: theirs.description },
  ].filter((row) => row.mine !== row.theirs);
}
