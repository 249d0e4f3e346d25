'use client';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { TextArea } from '#components/ui/form/text-area.tsx';
import type { MailDomainRow, SamlService } from '#lib/protocol/answers/mail-domains.ts';
import { samlForm, toCertificates, type SamlForm as Values } from '#lib/protocol/mail-domains/saml-form.ts';
import { CertificateList } from './certificate-list.tsx';
import { ProviderActions, type SaveProvider } from './provider-actions.tsx';
import { ToldValue } from './told-value.tsx';

type Props = {
  now: MailDomainRow['samlProvider'];
  service: SamlService;
  onSave: SaveProvider;
  onClose: () => void;
};

const GIVEN = [
  { value: 'metadata', label: 'By its metadata' },
  { value: 'parts', label: 'In parts' },
] as const;

const ATTRIBUTES = [
  ['emailAttribute', 'Attribute with the address', 'Empty: the NameID is the address, in the format emailAddress.'],
  ['givenNameAttribute', 'Attribute with the given name', 'For whoever joins at their first sign-in.'],
  ['familyNameAttribute', 'Attribute with the family name', undefined],
] as const;

const FIELDS = ['metadata', 'entityId', 'ssoUrl', 'certificates', ...ATTRIBUTES.map(([name]) => name)] as const;

/** The SAML provider of a domain: pasted as it gives itself, or typed; with several certificates while one takes the place of another. */
export function SamlForm({ now, service, onSave, onClose }: Props) {
  const { form, onSubmit, problem, setProblem, errorOf, busy } = useDoorForm<Values>(
    samlForm,
    FIELDS,
    async ({ given, metadata, entityId, ssoUrl, certificates, ...attributes }) => {
      const filled = Object.entries(attributes).flatMap(([name, value]) =>
        value.trim() ? [[name, value.trim()]] : [],
      );
      const parts = { entityId: entityId.trim(), ssoUrl: ssoUrl.trim(), certificates: toCertificates(certificates) };
      await onSave({
        samlProvider: { ...(given === 'metadata' ? { metadata } : parts), ...Object.fromEntries(filled) },
      });
    },
    { defaultValues: toValues(now) },
  );
  const given = form.watch('given');
  return (
    <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4">
      <FormProblemAlert problem={problem} />
      <ToldValue label="Our entity ID, where our metadata is" value={service.entityId} copy="Copy our entity ID" />
      <ToldValue label="Our assertion consumer service (ACS)" value={service.acsUrl} copy="Copy our ACS address" />
      {now ? <CertificateList certificates={now.certificates} /> : null}
      <Field label="It is given">
        <Select
          value={given}
          onValueChange={(value) => form.setValue('given', value)}
          options={GIVEN}
          className="w-full"
        />
      </Field>
      {given === 'metadata' ? (
        <Field
          label="Metadata of the provider (XML)"
          error={errorOf('metadata')}
          description="As it can be downloaded there. What it says takes the place of what is here, also of the certificates."
        >
          <TextArea key="metadata" {...form.register('metadata')} isCode rows={7} />
        </Field>
      ) : (
        <>
          <Field label="Entity ID" error={errorOf('entityId')}>
            <Input {...form.register('entityId')} autoComplete="off" spellCheck={false} />
          </Field>
          <Field
            label="Sign-in address (SSO URL)"
            error={errorOf('ssoUrl')}
            description="For the HTTP-Redirect binding."
          >
            <Input {...form.register('ssoUrl')} autoComplete="off" spellCheck={false} />
          </Field>
          <Field
            label="Certificates"
            error={errorOf('certificates')}
            description="PEM, one below the other. Any of them may sign: add the new one before the provider changes, and take the old one out after."
          >
            <TextArea key="certificates" {...form.register('certificates')} isCode rows={7} />
          </Field>
        </>
      )}
      {ATTRIBUTES.map(([name, label, description]) => (
        <Field key={name} label={label} optional error={errorOf(name)} description={description}>
          <Input {...form.register(name)} autoComplete="off" spellCheck={false} autoCapitalize="none" />
        </Field>
      ))}
      <ProviderActions
        busy={busy}
        onRemove={now ? () => onSave({ samlProvider: null }) : undefined}
        onFailed={setProblem}
        onClose={onClose}
      />
    </Form>
  );
}

function toValues(now: Props['now']): Values {
  const pem = ({ value }: { value: string }) => {
    return `-----BEGIN CERTIFICATE-----\n${value.replace(/.{64}/g, '$&\n').trim()}\n-----END CERTIFICATE-----`;
  };
  return {
    given: now ? 'parts' : 'metadata',
    metadata: '',
    entityId: now?.entityId ?? '',
    ssoUrl: now?.ssoUrl ?? '',
    certificates: now?.certificates.map(pem).join('\n') ?? '',
    emailAttribute: now?.emailAttribute ?? '',
    givenNameAttribute: now?.givenNameAttribute ?? '',
    familyNameAttribute: now?.familyNameAttribute ?? '',
  };
}
