import { Skeleton, SkeletonRegion } from '#components/ui/skeleton.tsx';

export function BotHeadingSkeleton() {
  return (
    <SkeletonRegion label="Loading the bot" className="mb-6 flex min-h-16 items-start justify-between gap-4">
      <div className="flex flex-col gap-2.5 pt-1">
        <Skeleton className="h-6 w-44" />
        <Skeleton className="w-72" />
      </div>
      <Skeleton className="h-9 w-48 max-sm:hidden" />
    </SkeletonRegion>
  );
}
