'use client';
import { useMutation } from '@tanstack/react-query';
import { Clock3, ShieldCheck } from 'lucide-react';
import Link from 'next/link';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { applyApiError } from '#lib/client/form-errors.ts';
import { renewLink } from '#lib/client/password-links.ts';
import type { LinkInfo, LinkSecret } from '#lib/protocol/answers/link.ts';
import { CheckMail } from './check-mail.tsx';
import { DoorHeading } from './door-heading.tsx';
import { FormProblemAlert } from './form-problem.tsx';

/** A used link leads to sign-in; an expired one offers a new one in a single press. */
export function LinkSpent({ link, info }: { link: LinkSecret; info: LinkInfo }) {
  const renew = useMutation({ mutationFn: () => renewLink(link) });
  if (renew.isSuccess) return <CheckMail email={info.email ?? 'your address'} />;
  const used = info.state === 'used';
  const Icon = used ? ShieldCheck : Clock3;
  return (
    <>
      <div className="mb-5 grid size-12 place-items-center rounded-2xl bg-sunken text-muted ring-1 ring-line ring-inset">
        <Icon className="size-6" aria-hidden="true" />
      </div>
      <DoorHeading title={used ? 'This link has been used' : 'This link has expired'}>
        {used
          ? 'Each link works once. If that was you, sign in with the password you chose. If it was not, ask for a new link and tell your administrator.'
          : 'For your safety it only works for a while. We can send a new one to the same address.'}
      </DoorHeading>
      <FormProblemAlert problem={renew.error ? applyApiError(renew.error, [], () => undefined) : undefined} />
      <div className="mt-1 flex flex-col gap-3">
        {used ? (
          <Link
            href={{ pathname: '/signin', query: info.project ? { project: info.project.id } : {} }}
            className={buttonClass({ variant: 'primary', size: 'lg' })}
          >
            Sign in
          </Link>
        ) : null}
        <Button
          variant={used ? 'secondary' : 'primary'}
          size="lg"
          busy={renew.isPending}
          onClick={() => renew.mutate()}
        >
          Send me a new one
        </Button>
      </div>
    </>
  );
}
