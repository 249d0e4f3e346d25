'use client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { readLink } from '#lib/client/door/password-links.ts';
import { useFragment } from '#lib/client/door/use-fragment.ts';
import type { LinkInfo, LinkSecret } from '#lib/protocol/answers/link.ts';
import { LinkSpent } from './link-spent.tsx';
import { LinkUnknown } from './link-unknown.tsx';

/**
 * A mailed link opened. The secret stands in the fragment, which no server sees; looking spends nothing, so neither a
 * mail scanner nor a preview can use the link up. Only the button does, which `children` shows while the link is open.
 */
export function MailedLink({
  id,
  children,
}: {
  id: string;
  children: (link: LinkSecret, info: LinkInfo) => ReactNode;
}) {
  const secret = useFragment();
  const link = { id, secret: secret ?? '' };
  const info = useQuery({
    queryKey: ['link', id, secret],
    queryFn: ({ signal }) => readLink(link, signal),
    enabled: Boolean(secret),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (secret === '' || (info.error instanceof ApiError && info.error.status >= 400 && info.error.status < 429))
    return <LinkUnknown />;
  if (info.error) return <ErrorState error={info.error} what="this link" onRetry={() => void info.refetch()} />;
  if (!info.data) return <Waiting />;
  if (info.data.state !== 'open') return <LinkSpent link={link} info={info.data} />;
  return children(link, info.data);
}

function Waiting() {
  return (
    <SkeletonRegion label="Opening your link" className="flex flex-col gap-4">
      <Skeleton className="h-8 w-2/3" />
      <Skeleton className="w-full" />
      <Skeleton className="mt-4 h-24 w-full rounded-xl" />
      <Skeleton className="h-11 w-full rounded-lg" />
    </SkeletonRegion>
  );
}
