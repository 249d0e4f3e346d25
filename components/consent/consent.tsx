'use client';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { readAuthorization, toAuthorizePath } from '#lib/client/door/authorization.ts';
import { ConsentForm } from './consent-form.tsx';
import { NotMember } from './not-member.tsx';

/** Before an app gets anything of a person, they see what, and who with. `query`: the app's request. */
export function Consent({ query }: { query: string }) {
  const asked = useQuery({
    queryKey: ['authorization', query],
    queryFn: ({ signal }) => readAuthorization(query, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isSignedOut = asked.error instanceof ApiError && asked.error.status === 401;
  useEffect(() => {
    if (isSignedOut) window.location.replace(toAuthorizePath(query));
  }, [isSignedOut, query]);
  if (asked.error && !isSignedOut)
    return <ErrorState error={asked.error} what="what the app asks" onRetry={() => void asked.refetch()} />;
  if (!asked.data) return <Waiting />;
  if (asked.data.memberships.length === 0) return <NotMember query={query} asked={asked.data} />;
  return <ConsentForm query={query} asked={asked.data} />;
}

function Waiting() {
  return (
    <SkeletonRegion label="Reading what the app asks" className="flex flex-col gap-4">
      <Skeleton className="h-8 w-2/3" />
      <Skeleton className="w-full" />
      <Skeleton className="mt-4 h-24 w-full rounded-xl" />
      <Skeleton className="h-11 w-full rounded-lg" />
    </SkeletonRegion>
  );
}
