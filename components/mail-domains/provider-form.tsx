'use client';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import type { MailDomainRow } from '#lib/protocol/answers/mail-domains.ts';
import { providerForm } from '#lib/protocol/mail-domains/requests.ts';
import { ProviderActions, type SaveProvider } from './provider-actions.tsx';
import { ToldValue } from './told-value.tsx';

type Props = {
  now: MailDomainRow['identityProvider'];
  callbackUrl: string;
  onSave: SaveProvider;
  onClose: () => void;
};

const FIELDS = ['issuer', 'authorizeUrl', 'tokenUrl', 'userInfoUrl', 'clientId', 'clientSecret'] as const;
type Name = (typeof FIELDS)[number];

const TOLD: Record<Name, [label: string, description?: string]> = {
  issuer: ['Issuer', 'As its discovery document says it: it signs who somebody is.'],
  authorizeUrl: ['Authorization endpoint'],
  tokenUrl: ['Token endpoint'],
  userInfoUrl: ['User info endpoint'],
  clientId: ['Client ID'],
  clientSecret: ['Client secret'],
};

/** The OpenID Connect provider of a domain. Its secret goes in and is never shown again. */
export function ProviderForm({ now, callbackUrl, onSave, onClose }: Props) {
  const { form, onSubmit, problem, setProblem, errorOf, busy } = useDoorForm<Record<Name, string>>(
    providerForm,
    FIELDS,
    async (values) => {
      const filled = FIELDS.flatMap((name) => (values[name].trim() ? [[name, values[name].trim()]] : []));
      const { tokenAuthMethod } = now ?? {};
      const method = tokenAuthMethod && { tokenAuthMethod };
      await onSave({ identityProvider: { usePkce: true, ...method, ...Object.fromEntries(filled) } });
    },
    { defaultValues: Object.fromEntries(FIELDS.map((name) => [name, (now?.[name] as string | undefined) ?? ''])) },
  );
  return (
    <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4">
      <FormProblemAlert problem={problem} />
      <ToldValue label="Redirect address for the provider" value={callbackUrl} copy="Copy the redirect address" />
      {FIELDS.map((name) => (
        <Field key={name} label={TOLD[name][0]} error={errorOf(name)} description={toDescription(name, now !== null)}>
          <Input
            {...form.register(name)}
            type={name === 'clientSecret' ? 'password' : 'text'}
            autoComplete={name === 'clientSecret' ? 'new-password' : 'off'}
            spellCheck={false}
          />
        </Field>
      ))}
      <ProviderActions
        busy={busy}
        onRemove={now ? () => onSave({ identityProvider: null }) : undefined}
        onFailed={setProblem}
        onClose={onClose}
      />
    </Form>
  );
}

function toDescription(name: Name, isThere: boolean): string | undefined {
  if (name === 'clientSecret' && isThere) return 'Empty: the one that is kept stays, for the same token endpoint.';
  return TOLD[name][1];
}
