'use client';
import { useMutation } from '@tanstack/react-query';
import { DoorOpen } from 'lucide-react';
import Link from 'next/link';
import { DoorHeading } from '#components/door/door-heading.tsx';
import { DoorIcon } from '#components/door/door-icon.tsx';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { MailedLink } from '#components/door/mailed-link.tsx';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { applyApiError } from '#lib/client/api/form-errors.ts';
import { reopenProject } from '#lib/client/door/password-links.ts';
import type { LinkInfo, LinkSecret } from '#lib/protocol/answers/link.ts';

/** The owner's way back to a project that they have closed. */
export function ReopenProject({ id }: { id: string }) {
  return <MailedLink id={id}>{(link, info) => <Reopen link={link} info={info} />}</MailedLink>;
}

function Reopen({ link, info }: { link: LinkSecret; info: LinkInfo }) {
  const open = useMutation({ mutationFn: () => reopenProject(link) });
  const name = info.project?.name || 'Your project';
  if (open.isSuccess) {
    return (
      <div role="status">
        <DoorIcon icon={DoorOpen} good />
        <DoorHeading title={`${name} is open again`}>
          Its people sign in again, and its programs and bots work as before.
        </DoorHeading>
        <Link
          href={{ pathname: '/signin', query: info.project ? { project: info.project.id } : {} }}
          className={buttonClass({ variant: 'primary', size: 'lg' })}
        >
          Sign in
        </Link>
      </div>
    );
  }
  return (
    <>
      <DoorHeading title={`Open ${name} again?`}>
        You closed it. Opened again, its members can sign in and its programs and bots work, each with the access they
        had.
      </DoorHeading>
      <FormProblemAlert problem={open.error ? applyApiError(open.error, [], () => undefined) : undefined} />
      <Button variant="primary" size="lg" className="mt-1" busy={open.isPending} onClick={() => open.mutate()}>
        Open the project
      </Button>
    </>
  );
}
