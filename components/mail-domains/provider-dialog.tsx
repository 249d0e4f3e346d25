'use client';
import { useState } from 'react';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useChangeDomain } from '#lib/client/mail-domains/mail-domains.ts';
import type { MailDomainList, MailDomainRow } from '#lib/protocol/answers/mail-domains.ts';
import type { SaveProvider } from './provider-actions.tsx';
import { ProviderForm } from './provider-form.tsx';
import { SamlForm } from './saml-form.tsx';

export type ProviderDialogProps = {
  projectId: string;
  row: MailDomainRow;
  us: Pick<MailDomainList, 'callbackUrl' | 'samlService'>;
  onClose: () => void;
};

const KINDS = [
  { value: 'openid', label: 'OpenID Connect' },
  { value: 'saml', label: 'SAML 2.0' },
] as const;

/** Who says who the people of a domain are: one provider, of one of two kinds. */
export function ProviderDialog({ projectId, row, us, onClose }: ProviderDialogProps) {
  const { domain } = row;
  const change = useChangeDomain(projectId);
  const [kind, setKind] = useState<'openid' | 'saml'>(row.samlProvider ? 'saml' : 'openid');
  const save: SaveProvider = async (edit) => {
    await change.mutateAsync({ domain, ...edit });
    const isThere = edit.identityProvider || edit.samlProvider;
    toast({ title: `The identity provider of ${domain} is ${isThere ? 'saved' : 'removed'}` });
    onClose();
  };
  const replaced = kind === 'saml' ? row.identityProvider : row.samlProvider;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`The identity provider of ${domain}`}
      description="Only members of this project sign in by it, and only to this project."
      className="max-w-xl"
    >
      <div className="flex flex-col gap-4 pt-1">
        <Field label="It speaks" description={replaced ? 'Once this is saved, the one of now is gone.' : undefined}>
          <Select value={kind} onValueChange={setKind} options={KINDS} className="w-full" />
        </Field>
        {kind === 'saml' ? (
          <SamlForm now={row.samlProvider} service={us.samlService} onSave={save} onClose={onClose} />
        ) : (
          <ProviderForm now={row.identityProvider} callbackUrl={us.callbackUrl} onSave={save} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
}
