'use client';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { PasswordInput } from '#components/ui/form/password-input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import type { InviteForm } from '#lib/client/invites/form.ts';
import { ReferenceField } from './reference-field.tsx';
import type { InviteFormState } from './use-invite-form.ts';

const SCOPES = [
  { value: '', label: 'Usual: patients in the project, others on the server' },
  { value: 'project', label: 'This project only' },
  { value: 'server', label: 'The whole server, may join other projects' },
] as const;

const FIELDS: (keyof InviteForm)[] = [
  'externalId',
  'scope',
  'password',
  'profile',
  'userName',
  'identifierSystem',
  'identifierValue',
  'userConfiguration',
];

/** What few invitations need. Opens by itself when something in it is refused. */
export function InviteMore({ projectId, state }: { projectId: string; state: InviteFormState }) {
  const { form, values, errorOf, put } = state;
  const refused = FIELDS.some((name) => errorOf(name) !== undefined);
  return (
    <details open={refused || undefined}>
      <summary className="font-medium text-muted hover:text-ink">More settings</summary>
      <div className="mt-4 flex flex-col gap-5 border-line border-l pl-4">
        <Field
          optional
          label="External id"
          error={errorOf('externalId')}
          description="Their id in your own sign-in. Makes the login belong to this project."
        >
          <Input autoComplete="off" spellCheck={false} {...form.register('externalId')} />
        </Field>
        <Field label="Where the login belongs" error={errorOf('scope')}>
          <Select value={values.scope} onValueChange={(scope) => put('scope', scope)} options={SCOPES} />
        </Field>
        <Field
          optional
          label="Password"
          error={errorOf('password')}
          description="Better left empty: the person chooses one by the link."
        >
          <PasswordInput autoComplete="new-password" {...form.register('password')} />
        </Field>
        <ReferenceField
          optional
          projectId={projectId}
          type={values.resourceType}
          label="Existing profile"
          description="Instead of a new record. One with the same e-mail is found by itself."
          error={errorOf('profile')}
          value={values.profile}
          onChange={(reference) => put('profile', reference)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field optional label="Identifier system" error={errorOf('identifierSystem')}>
            <Input
              autoComplete="off"
              spellCheck={false}
              placeholder="https://…"
              {...form.register('identifierSystem')}
            />
          </Field>
          <Field optional label="Identifier" error={errorOf('identifierValue')}>
            <Input autoComplete="off" spellCheck={false} {...form.register('identifierValue')} />
          </Field>
          <Field optional label="User name" error={errorOf('userName')}>
            <Input autoComplete="off" spellCheck={false} {...form.register('userName')} />
          </Field>
          <Field optional label="User configuration" error={errorOf('userConfiguration')}>
            <Input
              autoComplete="off"
              spellCheck={false}
              placeholder="UserConfiguration/id"
              {...form.register('userConfiguration')}
            />
          </Field>
        </div>
        <Toggle label="Start deactivated" checked={values.inactive} onCheckedChange={(on) => put('inactive', on)}>
          The member is there, and enters only once you reactivate it.
        </Toggle>
        <Toggle
          label="Update a member who is here already"
          checked={values.upsert}
          onCheckedChange={(on) => put('upsert', on)}
        >
          Instead of refusing: role and policies become those above.
        </Toggle>
        <Toggle
          label="Always make a further membership"
          checked={values.forceNewMembership}
          onCheckedChange={(on) => put('forceNewMembership', on)}
        >
          For one person with several roles in this project.
        </Toggle>
      </div>
    </details>
  );
}
