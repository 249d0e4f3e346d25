'use client';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { newProjectRequest } from '#lib/protocol/requests/auth.ts';
import { DoorHeading } from './door-heading.tsx';
import { FormProblemAlert } from './form-problem.tsx';
import { StepDots } from './step-dots.tsx';
import { useDoorForm } from './use-door-form.ts';

const schema = newProjectRequest.pick({ projectName: true });

export type RegisterProjectProps = {
  firstName?: string;
  /** How many steps there were, this one included. */
  of: number;
  onSubmit: (projectName: string) => Promise<void>;
};

export function RegisterProject({ firstName, of, onSubmit: submit }: RegisterProjectProps) {
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(schema, ['projectName'], ({ projectName }) =>
    submit(projectName),
  );
  return (
    <>
      <StepDots step={of} of={of} label="your project" />
      <DoorHeading title={firstName ? `Welcome, ${firstName}` : 'Name your project'}>
        A project keeps one organisation's data apart from every other: its own people, records, policies and bots. You
        will be its first administrator.
      </DoorHeading>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-5">
        <FormProblemAlert problem={problem} />
        <Field label="Project name" description="You can change it later." error={errorOf('projectName')}>
          <Input large autoFocus autoComplete="organization" {...form.register('projectName')} />
        </Field>
        <SubmitButton size="lg" busy={busy}>
          Create project
        </SubmitButton>
      </Form>
    </>
  );
}
