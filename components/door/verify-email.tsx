'use client';
import { useMutation } from '@tanstack/react-query';
import { Button } from '#components/ui/button.tsx';
import { applyApiError } from '#lib/client/api/form-errors.ts';
import { verifyEmail } from '#lib/client/door/password-links.ts';
import type { LinkInfo, LinkSecret } from '#lib/protocol/answers/link.ts';
import { DoorHeading } from './door-heading.tsx';
import { FormProblemAlert } from './form-problem.tsx';
import { Confirmed } from './link-spent.tsx';
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
      <Button variant="primary" size="lg" className="mt-1" busy={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm my address
      </Button>
    </>
  );
}
