'use client';
import { ArrowRight, Users } from 'lucide-react';
import Link from 'next/link';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Card } from '#components/ui/card.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/skeleton.tsx';
import { useMe } from '#lib/client/me.ts';
import type { Me } from '#lib/client/types.ts';

/** Where a person lands: which project this is, what they are in it, and the way on. */
export function Home({ projectId }: { projectId: string }) {
  const me = useMe();
  if (me.error) return <ErrorState error={me.error} what="your project" onRetry={() => void me.refetch()} />;
  if (!me.data) return <Waiting />;
  const { project, membership } = me.data;
  return (
    <>
      <PageHeading title={project.name ?? 'Your project'}>
        {membership.admin ? 'You administer this project.' : 'You are a member of this project.'}
      </PageHeading>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        <Facts me={me.data} />
        {membership.admin ? (
          <Link href={`/p/${projectId}/members`} className="group rounded-xl">
            <Card className="flex h-full items-center gap-4 p-5 transition-colors group-hover:border-line-strong">
              <span className="grid size-11 place-items-center rounded-xl bg-accent-soft text-accent-text">
                <Users className="size-5" aria-hidden="true" />
              </span>
              <span className="flex-1">
                <span className="block font-semibold">Members</span>
                <span className="block text-muted">Everyone who can enter this project, with role and access.</span>
              </span>
              <ArrowRight className="size-4 text-faint group-hover:text-ink" aria-hidden="true" />
            </Card>
          </Link>
        ) : (
          <Card className="p-5 text-muted">
            What you may read and change here is set by this project's administrators. Applications that use this
            service work with your account from now on.
          </Card>
        )}
      </div>
    </>
  );
}

function Facts({ me }: { me: Me }) {
  return (
    <Card className="min-w-0 px-5 py-2">
      <dl className="divide-y divide-line">
        <Fact label="Signed in as">
          {me.membership.profile.display ?? me.membership.profile.reference}
          <Badge tone={me.membership.admin ? 'accent' : 'neutral'}>{me.membership.admin ? 'Admin' : 'Member'}</Badge>
        </Fact>
        <Fact label="Profile">{me.membership.profile.reference?.split('/')[0]}</Fact>
        <Fact label="Project id">
          <code className="min-w-0 truncate font-mono text-xs">{me.project.id}</code>
          <CopyButton value={me.project.id} label="Copy project id" className="-my-1" />
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex min-h-11 items-center gap-4 py-2">
      <dt className="w-28 shrink-0 text-muted">{label}</dt>
      <dd className="flex min-w-0 flex-1 items-center gap-2">{children}</dd>
    </div>
  );
}

function Waiting() {
  return (
    <SkeletonRegion label="Loading your project">
      <Skeleton className="mb-2 h-7 w-56" />
      <Skeleton className="mb-6 w-44" />
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-38 rounded-xl" />
        <Skeleton className="h-38 rounded-xl" />
      </div>
    </SkeletonRegion>
  );
}
