import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';

export function BotHeadingSkeleton() {
  return (
    <SkeletonRegion label="Loading the bot" className="mb-6 flex flex-wrap items-start justify-between gap-4">
      <div className="flex min-h-16 flex-col gap-2.5 pt-1 max-sm:w-full">
        <Skeleton className="h-6 w-44" />
        <Skeleton className="w-72" />
      </div>
      {/* What can be done with it takes two lines on a phone. */}
      <Skeleton className="h-9 w-48 max-sm:h-20 max-sm:w-full" />
    </SkeletonRegion>
  );
}
