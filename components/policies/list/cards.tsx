'use client';
import { Card } from '#components/ui/display/card.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { type PoliciesListProps, PolicyGives, PolicyName, PolicyUse } from './facts.tsx';

/** The same list where a table has no room. */
export function PoliciesCards({ projectId, policies }: PoliciesListProps) {
  if (!policies) return <Waiting />;
  return (
    <ul aria-label="Access policies" className="flex flex-col gap-2 md:hidden">
      {policies.map((policy) => (
        <ListRow key={policy.id} about={policy.id}>
          <Card data-row={policy.id} className="relative p-4">
            <PolicyName projectId={projectId} policy={policy} />
            <p className="mt-1 text-[0.8125rem] text-muted">
              <PolicyGives policy={policy} />
            </p>
            <div className="mt-2 flex flex-wrap items-center justify-between gap-2 text-[0.8125rem]">
              <PolicyUse projectId={projectId} policy={policy} />
              <span className="text-muted">
                <Time at={policy.lastUpdated} />
              </span>
            </div>
          </Card>
        </ListRow>
      ))}
    </ul>
  );
}

function Waiting() {
  return (
    <SkeletonRegion label="Loading access policies" className="flex flex-col gap-2 md:hidden">
      {[0, 1, 2, 3].map((card) => (
        <Card key={card} className="flex h-28 flex-col gap-3 p-4">
          <Skeleton className="w-1/2" />
          <Skeleton className="w-4/5" />
          <Skeleton className="w-1/3" />
        </Card>
      ))}
    </SkeletonRegion>
  );
}
