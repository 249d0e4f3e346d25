'use client';
import { useRouter } from 'next/navigation';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useEffect } from 'react';
import { setBreadcrumbLeaf } from '#components/frame/breadcrumb.tsx';
import { useMemberActions } from '#components/members/actions/use-member-actions.tsx';
import { toMemberFacts } from '#components/members/facts.ts';
import { FactsMissing } from '#components/members/facts-missing.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { TabPanel, Tabs } from '#components/ui/display/tabs.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import { ApiError } from '#lib/client/api/api-error.ts';
import { useProjectFacts } from '#lib/client/frame/project-facts.ts';
import { useMember } from '#lib/client/member/member.ts';
import { useMemberFacts } from '#lib/client/members/facts.ts';
import { AccessTab } from './access-tab.tsx';
import { ActivityTab } from './activity-tab.tsx';
import { MemberAside } from './aside.tsx';
import { BrokenProfile } from './broken-profile.tsx';
import { MemberHead } from './head.tsx';
import { HistoryTab } from './history-tab.tsx';
import { JsonTab } from './json-tab.tsx';
import { RemovedMember } from './removed-member.tsx';
import { SecurityTab } from './security-tab.tsx';

const TABS = ['access', 'security', 'activity', 'history', 'json'] as const;
const LABELS = { access: 'Access', security: 'Security', activity: 'Activity', history: 'History', json: 'JSON' };

/** What stands below on a phone does not move while these fill. */
const STILL = 'max-lg:min-h-dvh';

/** One member: what they may do, how they get in, what happened, and the record itself. */
export function Member({ projectId, membershipId }: { projectId: string; membershipId: string }) {
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(TABS).withDefault('access'));
  const member = useMember(projectId, membershipId);
  const policies = usePolicies(projectId);
  const memberFacts = useMemberFacts(projectId, [membershipId]);
  const project = useProjectFacts(projectId);
  const router = useRouter();
  const actions = useMemberActions(projectId, project, () => router.push(`/p/${projectId}/members`));
  const policyNames = new Map(policies.data?.map(({ reference, name }) => [reference, name]));
  const context = {
    owner: project.owner,
    facts: memberFacts.data ?? (memberFacts.error ? null : undefined),
    policyNames,
  };
  const missing = [memberFacts, policies].filter(({ error, data }) => error && !data);
  const facts = member.data && toMemberFacts(member.data, context);
  const name = facts?.name;
  useEffect(() => {
    setBreadcrumbLeaf(name);
    return () => setBreadcrumbLeaf(undefined);
  }, [name]);
  if (member.error instanceof ApiError && member.error.status === 410) {
    return <RemovedMember projectId={projectId} membershipId={membershipId} policyNames={policyNames} />;
  }
  if (member.error && !member.data) {
    return (
      <Card>
        <h1 className="sr-only">Member</h1>
        <ErrorState error={member.error} what="this member" onRetry={() => void member.refetch()} />
      </Card>
    );
  }
  if (!member.data || !facts) return <Waiting />;
  const view = { projectId, member: member.data, facts, project };
  return (
    <>
      <MemberHead {...view} onAction={(action) => actions.run(action, view.member)} />
      {missing.length > 0 ? <FactsMissing missing={missing} /> : null}
      {facts.person ? <BrokenProfile projectId={projectId} member={member.data} name={facts.name} /> : null}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <Tabs
          label="Member"
          value={tab}
          onValueChange={(next) => void setTab(next)}
          tabs={TABS.map((value) => ({ value, label: LABELS[value] }))}
        >
          <TabPanel value="access" keep>
            <AccessTab {...view} policies={policies.data ?? []} onSave={actions.change} />
          </TabPanel>
          <TabPanel value="security" className={STILL}>
            <SecurityTab {...view} onAction={(action) => actions.run(action, view.member)} />
          </TabPanel>
          <TabPanel value="activity" className={STILL}>
            <ActivityTab projectId={projectId} member={member.data} />
          </TabPanel>
          <TabPanel value="history" className={STILL}>
            <HistoryTab
              projectId={projectId}
              membershipId={membershipId}
              member={member.data}
              policyNames={policyNames}
              onRestore={membershipId === project.self ? undefined : (version) => actions.restore(view.member, version)}
            />
          </TabPanel>
          <TabPanel value="json">
            <JsonTab member={member.data} />
          </TabPanel>
        </Tabs>
        <MemberAside {...view} fact={memberFacts.data?.get(membershipId)} />
      </div>
      {actions.dialogs}
    </>
  );
}

function Waiting() {
  return (
    <SkeletonRegion label="Loading the member">
      <div className="mb-6 flex items-center gap-4">
        <Skeleton className="size-14 rounded-full" />
        <div className="flex flex-col gap-2">
          <Skeleton className="h-6 w-48" />
          <Skeleton className="w-64" />
        </div>
      </div>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <Skeleton className="h-80 rounded-xl" />
        <Skeleton className="h-60 rounded-xl" />
      </div>
    </SkeletonRegion>
  );
}
