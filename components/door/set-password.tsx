'use client';
import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '#components/ui/error-state.tsx';
import { ApiError } from '#lib/client/api-error.ts';
import { readLink } from '#lib/client/password-links.ts';
import { LinkSpent } from './link-spent.tsx';
import { LinkUnknown } from './link-unknown.tsx';
import { LinkWaiting } from './link-waiting.tsx';
import { SetPasswordForm } from './set-password-form.tsx';
import { useLinkSecret } from './use-link-secret.ts';

/**
 * A mailed link opened. The secret stands in the fragment, which no server sees; looking spends nothing, so neither a
 * mail scanner nor a preview can use the link up. Only the button does.
 */
export function SetPassword({ id }: { id: string }) {
  const secret = useLinkSecret();
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
  if (!info.data) return <LinkWaiting />;
  if (info.data.state !== 'open') return <LinkSpent link={link} info={info.data} />;
  return <SetPasswordForm link={link} info={info.data} />;
}
