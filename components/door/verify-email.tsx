'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import Link from 'next/link';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { ErrorState } from '#components/ui/error-state.tsx';
import { ApiError } from '#lib/client/api-error.ts';
import { applyApiError } from '#lib/client/form-errors.ts';
import { type LinkInfo, type LinkSecret, readLink, verifyEmail } from '#lib/client/password-links.ts';
import { DoorHeading } from './door-heading.tsx';
import { FormProblemAlert } from './form-problem.tsx';
import { LinkSpent } from './link-spent.tsx';
import { LinkUnknown } from './link-unknown.tsx';
import { LinkWaiting } from './link-waiting.tsx';
import { useLinkSecret } from './use-link-secret.ts';

/** The link of a "confirm your address" mail. Only the button confirms: a scanner that opens the page proves nothing. */
export function VerifyEmail({ id }: { id: string }) {
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
  return <Confirm link={link} info={info.data} />;
}

function Confirm({ link, info }: { link: LinkSecret; info: LinkInfo }) {
  const confirm = useMutation({ mutationFn: () => verifyEmail(link) });
  if (confirm.isSuccess) return <Confirmed />;
  return (
    <>
      <DoorHeading title="Confirm your address">
        Is <strong className="font-medium text-ink">{info.email}</strong> yours? Confirm it to go on with your project.
      </DoorHeading>
      <FormProblemAlert problem={confirm.error ? applyApiError(confirm.error, [], () => undefined) : undefined} />
      <Button size="lg" className="mt-1" busy={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm my address
      </Button>
    </>
  );
}

function Confirmed() {
  return (
    <div role="status">
      <div className="mb-5 grid size-12 place-items-center rounded-2xl bg-accent-soft text-accent-text">
        <MailCheck className="size-6" aria-hidden="true" />
      </div>
      <DoorHeading title="Your address is confirmed">
        Go on in the tab where you registered. If it is closed, sign in here and name your project.
      </DoorHeading>
      <Link href="/register/project" className={buttonClass({ variant: 'primary', size: 'lg' })}>
        Name your project
      </Link>
    </div>
  );
}
