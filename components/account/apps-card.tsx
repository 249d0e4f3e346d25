'use client';
import { focusCard, SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useConsents, useWithdrawConsent } from '#lib/client/account/consents.ts';
import type { OwnConsent } from '#lib/protocol/answers/authorization.ts';

/** Which apps one has let in. Not shown to who never let one in. */
export function AppsCard() {
  const consents = useConsents();
  const withdraw = useWithdrawConsent();
  if (!consents.error && !consents.data?.length) return null;
  const end = ({ clientId, name }: OwnConsent) =>
    withdraw.mutate(clientId, {
      onSuccess: () => {
        toast({ title: `${name} is out` });
        focusCard('apps');
      },
      onError: (error) => toast({ tone: 'danger', title: `${name} is still in`, description: error.message }),
    });
  return (
    <SettingsCard id="apps" title="Apps" description="What you let in. Taken out, an app is signed out at once.">
      {consents.error ? (
        <ErrorState error={consents.error} what="your apps" onRetry={() => void consents.refetch()} />
      ) : (
        <ul aria-label="Apps" className="divide-y divide-line">
          {consents.data.map((consent) => (
            <ListRow key={consent.clientId} about={consent.clientId} className="flex min-h-14 items-center gap-3 py-2">
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">{consent.name}</p>
                <p className="truncate text-[0.8125rem] text-muted">
                  let in <Time at={consent.grantedAt} />
                </p>
              </div>
              <Button
                size="sm"
                busy={withdraw.isPending && withdraw.variables === consent.clientId}
                aria-label={`Take ${consent.name} out`}
                onClick={() => end(consent)}
              >
                Take out
              </Button>
            </ListRow>
          ))}
        </ul>
      )}
    </SettingsCard>
  );
}
