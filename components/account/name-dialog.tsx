'use client';
import { useId } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useChangeName, useOwnName } from '#lib/client/account/own-name.ts';
import type { NameKept, OwnName, OwnNamePlace } from '#lib/protocol/own-account/answers.ts';
import { ownNameRequest } from '#lib/protocol/own-account/requests.ts';

const schema = ownNameRequest.pick({ firstName: true, lastName: true });

/** The name of one's account, and in which projects it is taken over. */
export function NameDialog({ onClose }: { onClose: () => void }) {
  const name = useOwnName(true);
  const id = useId();
  const save = useChangeName();
  return (
    <Dialog
      open
      keep
      busy={save.isPending}
      onOpenChange={(open) => !open && onClose()}
      title="Change your name"
      description="The name of your account. Each of your projects sees the change in its activity."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton form={id} busy={save.isPending} disabled={!name.data}>
            Save the name
          </SubmitButton>
        </>
      }
    >
      {name.data ? (
        <NameForm key={name.data.version} id={id} name={name.data} save={save} onClose={onClose} />
      ) : name.error ? (
        <ErrorState error={name.error} what="your name" onRetry={() => void name.refetch()} />
      ) : (
        <SkeletonRegion label="Loading your name" className="flex flex-col gap-4">
          <Skeleton className="h-16" />
          <Skeleton className="h-16" />
        </SkeletonRegion>
      )}
    </Dialog>
  );
}

type FormProps = { id: string; name: OwnName; save: ReturnType<typeof useChangeName>; onClose: () => void };

function NameForm({ id, name, save, onClose }: FormProps) {
  const { firstName, lastName, version, places } = name;
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    schema,
    ['firstName', 'lastName'],
    async (values) => {
      await save.mutateAsync({ ...values, version });
      toast({ title: 'Name changed' });
      onClose();
    },
    { defaultValues: { firstName, lastName } },
  );
  return (
    <Form id={id} busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4">
      <FormProblemAlert problem={problem} />
      <Field label="First name" error={errorOf('firstName')}>
        <Input {...form.register('firstName')} autoComplete="given-name" autoFocus />
      </Field>
      <Field label="Last name" error={errorOf('lastName')}>
        <Input {...form.register('lastName')} autoComplete="family-name" />
      </Field>
      <ul aria-label="What your projects show" className="divide-y divide-line border-line border-t text-[0.8125rem]">
        {places.map((place) => (
          <Place key={place.membership} place={place} />
        ))}
      </ul>
    </Form>
  );
}

const KEPT: Record<NameKept, string> = {
  record: 'Keeps its name in the record: an administrator of the project changes it.',
  differs: 'Shows another name than your account already, and keeps it.',
  directory: 'Keeps the name that your organization’s directory gives.',
};

function Place({ place: { project, profile, kept } }: { place: OwnNamePlace }) {
  const type = profile.reference?.split('/')[0];
  return (
    <li className="py-2">
      <p className="truncate font-medium">{[project.display ?? 'Project', type].filter(Boolean).join(' · ')}</p>
      <p className="text-muted">{kept ? KEPT[kept] : 'Shows the new name.'}</p>
    </li>
  );
}
