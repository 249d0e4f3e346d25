'use client';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton } from '#components/ui/feedback/skeleton.tsx';
import { addressesOf, type Definition, useOperations } from '#lib/client/bots/connections/operations.ts';

/** The operations of the project that this bot does: OperationDefinitions say so. */
export function OperationsCard({ projectId, botId }: { projectId: string; botId: string }) {
  const { data, error, refetch } = useOperations(projectId, botId);
  return (
    <SettingsCard
      id="operations"
      title="Operations"
      description="Programs call these by their own name. An active OperationDefinition whose extension operationDefinition-implementation is this bot makes one."
    >
      {data ? (
        <>
          {data.definitions.length > 0 ? (
            <ul aria-label="Operations" className="flex flex-col divide-y divide-line">
              {data.definitions.map((definition) => (
                <Operation key={definition.id} definition={definition} />
              ))}
            </ul>
          ) : (
            <p className="text-muted">It does none.</p>
          )}
          {data.isWhole ? null : (
            <p className="mt-2 text-[0.8125rem] text-muted">This project has more definitions than were looked at.</p>
          )}
        </>
      ) : error ? (
        <ErrorState error={error} what="the operations of this bot" onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-10" />
      )}
    </SettingsCard>
  );
}

function Operation({ definition }: { definition: Definition }) {
  const { code, title, name } = definition;
  return (
    <li className="py-2.5 first:pt-0 last:pb-0">
      <p className="break-words">
        <span className="font-medium font-mono text-[0.8125rem]">${code}</span>{' '}
        <span className="text-muted">{title || name}</span>
      </p>
      <ul aria-label={`Where $${code} is called`} className="mt-0.5 text-[0.8125rem] text-muted">
        {addressesOf(definition).map((address) => (
          <li key={address} className="break-words font-mono text-xs leading-5">
            {address}
          </li>
        ))}
      </ul>
    </li>
  );
}
