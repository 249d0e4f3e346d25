'use client';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { fromTyped, STRENGTH_FIELDS, toTyped } from '#lib/client/mail-domains/provider-strength.ts';
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

const OWN_FIELDS = ['issuer', 'authorizeUrl', 'tokenUrl', 'userInfoUrl', 'clientId', 'clientSecret'] as const;
const FIELDS = [...OWN_FIELDS, ...STRENGTH_FIELDS];
type Name = (typeof FIELDS)[number];

const TOLD: Record<Name, [label: string, description?: string]> = {
  issuer: ['Issuer', 'As its discovery document says it: it signs who somebody is.'],
  authorizeUrl: ['Authorization endpoint'],
  tokenUrl: ['Token endpoint'],
  userInfoUrl: ['User info endpoint'],
  clientId: ['Client ID'],
  clientSecret: ['Client secret'],
  acrValues: [
    'Asked for (acr_values)',
    'How people should sign in there, in the provider’s words. Empty: as it likes.',
  ],
  mfaAmr: [
    'Counts as a second factor (amr)',
    'Words of its ID token, with spaces between. Empty: the usual ones, such as mfa, otp, hwk and fpt.',
  ],
  mfaAcr: ['Counts as a second factor (acr)', 'Where these are named, the usual words of amr no longer count.'],
  maxAge: ['Oldest sign-in, in seconds (max_age)', 'Who signed in there longer ago does so again. Empty: as it likes.'],
};

/** The OpenID Connect provider of a domain. Its secret goes in and is never shown again. */
export function ProviderForm({ now, callbackUrl, onSave, onClose }: Props) {
  const { form, onSubmit, problem, setProblem, errorOf, busy } = useDoorForm<Record<Name, string>>(
    providerForm,
    FIELDS,
    async (values) => {
      const filled = OWN_FIELDS.flatMap((name) => (values[name].trim() ? [[name, values[name].trim()]] : []));
      const { tokenAuthMethod } = now ?? {};
      const method = tokenAuthMethod && { tokenAuthMethod };
      const identityProvider = { usePkce: true, ...method, ...Object.fromEntries(filled), ...fromTyped(values) };
      await onSave({ identityProvider });
    },
    {
      defaultValues: Object.fromEntries([
        ...OWN_FIELDS.map((name) => [name, (now?.[name] as string | undefined) ?? '']),
        ...STRENGTH_FIELDS.map((name) => [name, toTyped(now, name)]),
      ]),
    },
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
