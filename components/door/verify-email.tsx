'use client';
import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { applyApiError } from '#lib/client/form-errors.ts';
import { type LinkInfo, type LinkSecret, verifyEmail } from '#lib/client/password-links.ts';
import { DoorHeading } from './door-heading.tsx';
import { FormProblemAlert } from './form-problem.tsx';

export function VerifyEmail({ link, info }: { link: LinkSecret; info: LinkInfo }) {
  const verify = useMutation({ mutationFn: () => verifyEmail(link) });
  if (verify.isSuccess) {
    return (
      <>
        <DoorHeading title="Your address is confirmed">You can sign in now.</DoorHeading>
        <Link href="/signin" className={buttonClass({ variant: 'primary', size: 'lg' })}>
          Sign in
        </Link>
      </>
    );
  }
  return (
    <>
      <DoorHeading title="Confirm your address">
        {info.email ? `Is ${info.email} yours? One press confirms it.` : 'One press confirms it.'}
      </DoorHeading>
      <FormProblemAlert problem={verify.error ? applyApiError(verify.error, [], () => undefined) : undefined} />
      <Button variant="primary" size="lg" busy={verify.isPending} onClick={() => verify.mutate()}>
        Confirm address
      </Button>
    </>
  );
}
