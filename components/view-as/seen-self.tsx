'use client';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { useSeenMe, type View } from '#lib/client/view-as/view.ts';
import { toSeenTypes } from './facts.ts';
import { Refusal } from './refusal.tsx';

/** Who they are here, and of which types both of you read something. */
export function SeenSelf({ view, onOver }: { view: View; onOver: () => void }) {
  const me = useSeenMe(view);
  if (me.error && !me.data)
    return <Refusal error={me.error} what="who they are here" onOver={onOver} onRetry={() => void me.refetch()} />;
  if (!me.data)
    return (
      <SkeletonRegion label="Loading who they are here">
        <Card className="flex min-h-32 flex-col gap-3 p-5">
          <Skeleton className="w-1/3" />
          <Skeleton className="w-2/3" />
        </Card>
      </SkeletonRegion>
    );
  const { project, membership, accessPolicy } = me.data;
  const types = toSeenTypes(accessPolicy);
  return (
    <Card className="flex min-h-32 flex-col gap-3 p-5">
      <p>
        <span className="font-medium">{membership.profile.display ?? membership.profile.reference}</span>
        <span className="text-muted">
          {' '}
          · {membership.profile.reference?.split('/')[0]} in {project.name}
        </span>
      </p>
      <h2 className="text-muted">What is read here</h2>
      {types.length === 0 ? (
        <p>Nothing: no type is open to both of you.</p>
      ) : (
        <ul aria-label="Types that are read" className="flex flex-wrap gap-1.5">
          {types.map((type) => (
            <li key={type}>
              <Badge>{type === '*' ? 'All records' : type}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
