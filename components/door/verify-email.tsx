'use client';
import { useMutation } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import Link from 'next/link';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { applyApiError } from '#lib/client/form-errors.ts';
import { verifyEmail } from '#lib/client/password-links.ts';
import type { LinkInfo, LinkSecret } from '#lib/protocol/answers/link.ts';
import { DoorHeading } from './door-heading.tsx';
import { FormProblemAlert } from './form-problem.tsx';
import { MailedLink } from './mailed-link.tsx';

/** The link of a "confirm your address" mail. */
export function VerifyEmail({ id }: { id: string }) {
  return <MailedLink id={id}>{(link, info) => <Confirm link={link} info={info} />}</MailedLink>;
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
