'use client';
import { useMutation } from '@tanstack/react-query';
import { Clock3, MailCheck, ShieldCheck } from 'lucide-react';
import Link from 'next/link';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { applyApiError } from '#lib/client/api/form-errors.ts';
import { renewLink } from '#lib/client/door/password-links.ts';
import type { LinkInfo, LinkSecret } from '#lib/protocol/answers/link.ts';
import { CheckMail } from './check-mail.tsx';
import { DoorHeading } from './door-heading.tsx';
import { DoorIcon } from './door-icon.tsx';
import { FormProblemAlert } from './form-problem.tsx';

/** An expired link offers a new one in a single press; a used one, itself or by its successor, leads to what comes after it. */
export function LinkSpent({ link, info }: { link: LinkSecret; info: LinkInfo }) {
  if (info.type === 'reopen') return <NoWayBack info={info} />;
  if (info.state !== 'used') return <Expired link={link} info={info} />;
  return info.type === 'verify-email' ? <Confirmed /> : <Used info={info} />;
}

function Expired({ link, info }: { link: LinkSecret; info: LinkInfo }) {
  const renew = useMutation({ mutationFn: () => renewLink(link) });
  if (renew.isSuccess) return <CheckMail email={info.email ?? 'your address'} />;
  return (
    <>
      <DoorIcon icon={Clock3} />
      {info.replaced ? (
        <DoorHeading title="A newer link was sent">
          It takes the place of this one: open the one in the newest mail. If you cannot find it, we can send another,
          to the same address.
        </DoorHeading>
      ) : (
        <DoorHeading title="This link has expired">
          For your safety it only works for a while. We can send a new one to the same address.
        </DoorHeading>
      )}
      <FormProblemAlert problem={renew.error ? applyApiError(renew.error, [], () => undefined) : undefined} />
      <Button variant="primary" size="lg" className="mt-1 w-full" busy={renew.isPending} onClick={() => renew.mutate()}>
        Send me a new one
      </Button>
    </>
  );
}

function Used({ info }: { info: LinkInfo }) {
  const query = info.project ? { project: info.project.id } : {};
  return (
    <>
      <DoorIcon icon={ShieldCheck} />
      <DoorHeading title={info.replaced ? 'A newer link has been used' : 'This link has been used'}>
        {info.replaced ? 'It took the place of this one, and each works once.' : 'Each link works once.'} If that was
        you, sign in with the password you chose. If it was not, reset the password and tell your administrator.
      </DoorHeading>
      <div className="mt-1 flex flex-col gap-3">
        <Link href={{ pathname: '/signin', query }} className={buttonClass({ variant: 'primary', size: 'lg' })}>
          Sign in
        </Link>
        <Link
          href={{ pathname: '/resetpassword', query }}
          className={buttonClass({ variant: 'secondary', size: 'lg' })}
        >
          Reset my password
        </Link>
      </div>
    </>
  );
}

/** Of the mail about a closed project: it is not sent again. */
function NoWayBack({ info }: { info: LinkInfo }) {
  const name = info.project?.name || 'The project';
  return (
    <>
      <DoorIcon icon={info.state === 'used' ? ShieldCheck : Clock3} />
      {info.state === 'used' ? (
        <DoorHeading title="This link has been used">{name} was opened by it. Each link works once.</DoorHeading>
      ) : (
        <DoorHeading title="This link no longer works">
          Whoever runs this server can open {name}, if it is still closed.
        </DoorHeading>
      )}
      <Link href="/signin" className={buttonClass({ variant: 'primary', size: 'lg' })}>
        Sign in
      </Link>
    </>
  );
}

/** The end of a "confirm your address" link, now or earlier. */
export function Confirmed() {
  return (
    <div role="status">
      <DoorIcon icon={MailCheck} good />
      <DoorHeading title="Your address is confirmed">
        Go on in the tab where you registered. If it is closed, sign in here and name your project.
      </DoorHeading>
      <Link href="/register/project" className={buttonClass({ variant: 'primary', size: 'lg' })}>
        Name your project
      </Link>
    </div>
  );
}
