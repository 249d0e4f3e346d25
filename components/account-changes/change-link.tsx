'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link2Off, MailCheck, ShieldCheck } from 'lucide-react';
import Link from 'next/link';
import { DoorHeading } from '#components/door/door-heading.tsx';
import { DoorIcon } from '#components/door/door-icon.tsx';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { applyApiError } from '#lib/client/api/form-errors.ts';
import { answerChange, readChange } from '#lib/client/door/account-change.ts';
import { useFragment } from '#lib/client/door/use-fragment.ts';
import type { ChangeLink as Change, ChangeState } from '#lib/protocol/account-changes/answers.ts';

/** A mailed link about a change of an account that waits: the old address stops it, the new one confirms it. Looking spends nothing. */
export function ChangeLink({ id }: { id: string }) {
  const secret = useFragment();
  const link = { id, secret: secret ?? '' };
  const found = useQuery({
    queryKey: ['account-change', id, secret],
    queryFn: ({ signal }) => readChange(link, signal),
    enabled: Boolean(secret),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const answer = useMutation({ mutationFn: (purpose: Change['purpose']) => answerChange(link, purpose) });
  const change = answer.data ?? found.data;
  if (secret === '' || (found.error instanceof ApiError && found.error.status >= 400 && found.error.status < 429))
    return <Unknown />;
  if (found.error) return <ErrorState error={found.error} what="this link" onRetry={() => void found.refetch()} />;
  if (!change) return <Waiting />;
  if (change.state !== 'waiting' || (change.purpose === 'confirm' && change.confirmed))
    return <Settled change={change} />;
  const isStop = change.purpose === 'stop';
  return (
    <>
      {isStop ? <StopHeading change={change} /> : <ConfirmHeading change={change} />}
      <FormProblemAlert problem={answer.error ? applyApiError(answer.error, [], () => undefined) : undefined} />
      <Button
        variant="primary"
        size="lg"
        className="mt-1"
        busy={answer.isPending}
        onClick={() => answer.mutate(change.purpose)}
      >
        {isStop ? 'This was not me: stop it' : 'Confirm my address'}
      </Button>
    </>
  );
}

function StopHeading({ change: { kind, by, email, dueAt } }: { change: Change }) {
  return (
    <DoorHeading title={kind === 'erase' ? 'Keep your account?' : 'Stop this change?'}>
      Your account is to{' '}
      {kind === 'address' ? (
        <>
          have the address <span className="whitespace-nowrap">{email}</span>
        </>
      ) : kind === 'erase' ? (
        'be erased for good'
      ) : (
        'lose a second step or its passkeys'
      )}
      , <Time at={dueAt} /> at the earliest.{' '}
      {by === 'person'
        ? 'Somebody who signed in as you asked for it. Stopping it also ends every session of the account.'
        : 'An administrator of your project asked for it.'}{' '}
      If it was meant, close this page.
    </DoorHeading>
  );
}

function ConfirmHeading({ change: { email, dueAt } }: { change: Change }) {
  return (
    <DoorHeading title="Confirm your new address">
      Is <strong className="font-medium text-ink">{email}</strong> yours? You sign in with it once that is confirmed,{' '}
      <Time at={dueAt} /> at the earliest. Every session of your account ends then.
    </DoorHeading>
  );
}

const TEXTS: Record<Exclude<ChangeState, 'waiting'>, { title: string; text: string }> = {
  done: { title: 'The change is made', text: 'If it was not you, tell the administrators of your project.' },
  stopped: {
    title: 'The change is stopped',
    text: 'Nothing is changed. If somebody else asked for it, choose a new password, and look at what you sign in with.',
  },
  cancelled: { title: 'The change was taken back', text: 'Nothing is changed.' },
  failed: { title: 'The change could not be made', text: 'Nothing is changed: sign in as before, and try it again.' },
  lapsed: { title: 'Nobody confirmed it in time', text: 'Nothing is changed: sign in as before, and try it again.' },
};

const ERASED = {
  title: 'The account is erased',
  text: 'It cannot come back. With the same address you can make a new one.',
};

function Settled({ change: { state, purpose, kind, email, dueAt } }: { change: Change }) {
  if (state === 'waiting')
    return (
      <div role="status">
        <DoorIcon icon={MailCheck} good />
        <DoorHeading title="Your address is confirmed">
          You sign in with {email} <Time at={dueAt} />. Until then the old one signs in, and can stop it.
        </DoorHeading>
      </div>
    );
  const { title, text } = state === 'done' && kind === 'erase' ? ERASED : TEXTS[state];
  return (
    <div role="status">
      <DoorIcon icon={ShieldCheck} good={state === 'done' || state === 'stopped'} />
      <DoorHeading title={title}>{text}</DoorHeading>
      {state === 'stopped' && purpose === 'stop' ? (
        <Link href="/resetpassword" className={buttonClass({ variant: 'primary', size: 'lg' })}>
          Choose a new password
        </Link>
      ) : (
        <Link href="/signin" className={buttonClass({ variant: 'primary', size: 'lg' })}>
          Sign in
        </Link>
      )}
    </div>
  );
}

/** A wrong id and a wrong secret look the same. */
function Unknown() {
  return (
    <>
      <DoorIcon icon={Link2Off} />
      <DoorHeading title="This link is not complete">
        Part of it may have been cut off on the way. Open it straight from the mail, or copy the whole address, up to
        its last character.
      </DoorHeading>
    </>
  );
}

function Waiting() {
  return (
    <SkeletonRegion label="Opening your link" className="flex flex-col gap-4">
      <Skeleton className="h-8 w-2/3" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-11 w-full rounded-lg" />
    </SkeletonRegion>
  );
}
