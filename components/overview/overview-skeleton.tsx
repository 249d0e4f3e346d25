import { Card } from '#components/ui/display/card.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';

export function OverviewSkeleton() {
  return (
    <SkeletonRegion label="Loading the overview">
      <Skeleton className="mb-2 h-7 w-56" />
      <Skeleton className="mb-6 w-44" />
      <div className="mb-6 grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
        {['people', 'bots', 'clients', 'findings'].map((tile) => (
          <Card key={tile} className="h-28 p-5">
            <Skeleton className="w-20" />
            <Skeleton className="mt-3 h-7 w-12" />
            <Skeleton className="mt-2 h-3 w-32" />
          </Card>
        ))}
      </div>
      <div className="grid gap-6 xl:grid-cols-2">
        <Card className="h-72" />
        <Card className="h-72" />
      </div>
    </SkeletonRegion>
  );
}
