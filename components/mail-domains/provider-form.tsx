'use client';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { applyApiError } from '#lib/client/api/form-errors.ts';
import { useChangeDomain } from '#lib/client/mail-domains/mail-domains.ts';
import { fromTyped, STRENGTH_FIELDS, toTyped } from '#lib/client/mail-domains/provider-strength.ts';
import type { MailDomainRow } from '#lib/protocol/answers/mail-domains.ts';
import { providerForm } from '#lib/protocol/mail-domains/requests.ts';

export type ProviderFormProps = { projectId: string; row: MailDomainRow; callbackUrl: string; onClose: () => void };

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
export function ProviderForm({ projectId, row, callbackUrl, onClose }: ProviderFormProps) {
  const { domain, identityProvider: now } = row;
  const change = useChangeDomain(projectId);
  const save = async (identityProvider: Parameters<typeof change.mutateAsync>[0]['identityProvider']) => {
    await change.mutateAsync({ domain, identityProvider });
    toast({ title: `The identity provider of ${domain} is ${identityProvider ? 'saved' : 'removed'}` });
    onClose();
  };
  const { form, onSubmit, problem, setProblem, errorOf, busy } = useDoorForm<Record<Name, string>>(
    providerForm,
    FIELDS,
    async (values) => {
      const filled = OWN_FIELDS.flatMap((name) => (values[name].trim() ? [[name, values[name].trim()]] : []));
      const { tokenAuthMethod } = now ?? {};
      await save({
        usePkce: true,
        ...(tokenAuthMethod && { tokenAuthMethod }),
        ...Object.fromEntries(filled),
        ...fromTyped(values),
      });
    },
    {
      defaultValues: Object.fromEntries([
        ...OWN_FIELDS.map((name) => [name, (now?.[name] as string | undefined) ?? '']),
        ...STRENGTH_FIELDS.map((name) => [name, toTyped(now, name)]),
      ]),
    },
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`The identity provider of ${domain}`}
      description="By OpenID Connect. Only members of this project sign in by it, and only to this project."
      className="max-w-xl"
    >
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <p className="flex flex-wrap items-center gap-x-2 text-muted">
          <span>Redirect address for the provider:</span>
          <code className="min-w-0 break-all font-mono text-ink text-xs">{callbackUrl}</code>
          <CopyButton value={callbackUrl} label="Copy the redirect address" />
        </p>
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
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          {now ? (
            <Button
              variant="ghost"
              disabled={busy}
              onClick={() =>
                void save(null).catch((error: unknown) => setProblem(applyApiError(error, [], () => undefined)))
              }
            >
              Remove provider
            </Button>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Save provider</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

function toDescription(name: Name, isThere: boolean): string | undefined {
  if (name === 'clientSecret' && isThere) return 'Empty: the one that is kept stays, for the same token endpoint.';
  return TOLD[name][1];
}
