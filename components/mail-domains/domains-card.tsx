'use client';
import { AtSign, Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { useDropDomain, useMailDomains } from '#lib/client/mail-domains/mail-domains.ts';
import { type DomainAsk, DomainRow } from './domain-row.tsx';

const ClaimForm = dynamic(() => import('./claim-form.tsx').then((it) => it.ClaimForm), {
  ssr: false,
  loading: DialogLoading,
});
const RecordDialog = dynamic(() => import('./record-dialog.tsx').then((it) => it.RecordDialog), {
  ssr: false,
  loading: DialogLoading,
});
const ProviderDialog = dynamic(() => import('./provider-dialog.tsx').then((it) => it.ProviderDialog), {
  ssr: false,
  loading: DialogLoading,
});

const PeopleForm = dynamic(() => import('./people-form.tsx').then((it) => it.PeopleForm), {
  ssr: false,
  loading: DialogLoading,
});

/** The e-mail domains that the project has shown to be its own, and who says for each of them who somebody is. */
export function DomainsCard({ projectId }: { projectId: string }) {
  const domains = useMailDomains(projectId);
  const drop = useDropDomain(projectId);
  const [asked, ask] = useState<{ what: DomainAsk | 'claim'; domain?: string }>();
  const rows = domains.data?.rows;
  const about = rows?.find(({ domain }) => domain === asked?.domain);
  const close = () => ask(undefined);
  const claim = (
    <Button size="sm" onClick={() => ask({ what: 'claim' })}>
      <Plus aria-hidden="true" />
      Add a domain
    </Button>
  );
  return (
    <SettingsCard
      id="mail-domains"
      title="E-mail domains"
      description="Whose addresses are yours can sign in at your own identity provider."
      action={rows?.length ? claim : null}
    >
      {rows?.length === 0 ? (
        <EmptyState icon={<AtSign />} title="No e-mail domain" className="py-8" action={claim}>
          Show by a record in DNS that a domain is yours; then its people sign in as they do in your company.
        </EmptyState>
      ) : rows ? (
        <ul aria-label="E-mail domains" className="divide-y divide-line rounded-lg border border-line">
          {rows.map((row) => (
            <DomainRow key={row.domain} row={row} onAsk={(what) => ask({ what, domain: row.domain })} />
          ))}
        </ul>
      ) : domains.error ? (
        <ErrorState
          error={domains.error}
          what="the e-mail domains of this project"
          onRetry={() => void domains.refetch()}
        />
      ) : (
        <SkeletonRegion label="Loading e-mail domains" className="flex flex-col gap-4">
          <Skeleton className="w-48" />
          <Skeleton className="w-36" />
        </SkeletonRegion>
      )}
      {asked?.what === 'claim' ? (
        <ClaimForm projectId={projectId} onClaimed={(domain) => ask({ what: 'record', domain })} onClose={close} />
      ) : null}
      {asked?.what === 'record' && about ? <RecordDialog projectId={projectId} row={about} onClose={close} /> : null}
      {asked?.what === 'provider' && about && domains.data ? (
        <ProviderDialog projectId={projectId} row={about} us={domains.data} onClose={close} />
      ) : null}
      {asked?.what === 'people' && about ? <PeopleForm projectId={projectId} row={about} onClose={close} /> : null}
      {asked?.what === 'remove' && about ? (
        <ConfirmDialog
          title={`Remove ${about.domain}?`}
          confirm={`Remove ${about.domain}`}
          danger
          onClose={close}
          onConfirm={async () => {
            await drop.mutateAsync({ domain: about.domain });
            toast({ title: `${about.domain} is removed` });
          }}
        >
          <p>
            Nobody signs in by its identity provider any more, <strong>at once</strong>. Its members stay, with their
            other ways in.
          </p>
        </ConfirmDialog>
      ) : null}
    </SettingsCard>
  );
}
