import Link from 'next/link';
import { buttonClass } from '#components/ui/button-class.ts';
import type { LinkInfo } from '#lib/protocol/answers/link.ts';
import { tellWays, type Way } from '#lib/protocol/sign-in/ways.ts';
import { DoorHeading } from '../door/door-heading.tsx';
import { InviteCard } from '../door/invite-card.tsx';

/** An invitation to a project that is entered otherwise than by password: the first sign-in accepts it. */
export function AcceptOtherwise({ info, ways }: { info: LinkInfo; ways: readonly Way[] }) {
  const firstName = info.name?.split(' ')[0];
  const query = new URLSearchParams({
    ...(info.project && { project: info.project.id }),
    ...(info.email && { email: info.email }),
  });
  const isByPasskeyAlone = ways.length === 1 && ways[0] === 'passkey';
  return (
    <>
      <DoorHeading title={firstName ? `Welcome, ${firstName}` : 'You are invited'}>
        You sign in with {tellWays(ways)}. With that the invitation is accepted.
      </DoorHeading>
      <InviteCard info={info} />
      {isByPasskeyAlone ? (
        <p className="mb-5 text-muted">
          A passkey is added on the account page. If you have none here yet, ask {info.invitedBy ?? 'who invited you'}{' '}
          to let you in by another way the first time.
        </p>
      ) : null}
      <Link href={`/signin?${query}`} className={buttonClass({ variant: 'primary', size: 'lg', className: 'w-full' })}>
        Go to the sign-in page
      </Link>
    </>
  );
}
