import { Skeleton, SkeletonRegion } from '#components/ui/skeleton.tsx';

export function LinkWaiting() {
  return (
    <SkeletonRegion label="Opening your link" className="flex flex-col gap-4">
      <Skeleton className="h-8 w-2/3" />
      <Skeleton className="w-full" />
      <Skeleton className="mt-4 h-24 w-full rounded-xl" />
      <Skeleton className="h-11 w-full rounded-lg" />
    </SkeletonRegion>
  );
}
