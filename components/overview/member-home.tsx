import Link from 'next/link';
import type { ReactNode } from 'react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import type { FrameMe } from '#lib/client/frame/me.ts';

/** What a member who administers nothing sees: who they are here, and who decides what they may do. */
export function MemberHome({ me: { project, membership } }: { me: FrameMe }) {
  return (
    <>
      <PageHeading title={project.name ?? 'Your project'}>You are a member of this project.</PageHeading>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        <Card className="min-w-0 px-5 py-2">
          <dl className="divide-y divide-line">
            <Fact label="Signed in as">{membership.profile.display ?? membership.profile.reference}</Fact>
            <Fact label="Profile">{membership.profile.reference?.split('/')[0]}</Fact>
            <Fact label="Project id">
              <code className="min-w-0 truncate font-mono text-xs">{project.id}</code>
              <CopyButton value={project.id} label="Copy project id" className="-my-1" />
            </Fact>
          </dl>
        </Card>
        <Card className="p-5 text-muted">
          <p>
            What you may read and change here is set by this project's administrators. Applications that use this
            service work with your account from now on.
          </p>
          <p className="mt-3">
            <Link href="/account#access-requests" className="text-accent-text underline underline-offset-3">
              Ask for access, and see what you asked for
            </Link>
          </p>
        </Card>
      </div>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center gap-4 py-2">
      <dt className="w-28 shrink-0 text-muted">{label}</dt>
      <dd className="flex min-w-0 flex-1 items-center gap-2">{children}</dd>
    </div>
  );
}
