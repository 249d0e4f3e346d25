'use client';
import { SearchX, UserRoundPlus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useRef } from 'react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { usePeek } from '#components/frame/use-peek.ts';
import { useRowKeys } from '#components/frame/use-row-keys.ts';
import { InviteButtons } from '#components/invites/sheet/buttons.tsx';
import { useInviteSheet } from '#components/invites/sheet/use-invite-sheet.tsx';
import { JobsTray } from '#components/jobs/jobs-tray.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { PageBeyond } from '#components/ui/feedback/page-beyond.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import { ApiError } from '#lib/client/api/api-error.ts';
import { useProjectFacts } from '#lib/client/frame/project-facts.ts';
import { useInvitesOf } from '#lib/client/invites/invites.ts';
import { useMemberFacts } from '#lib/client/members/facts.ts';
import { toMemberFilter, useMembers } from '#lib/client/members/members.ts';
import { useMemberActions } from './actions/use-member-actions.tsx';
import { MembersCards } from './cards.tsx';
import { ExportButton } from './export-button.tsx';
import { MembersPager } from './pager.tsx';
import { MembersTable } from './table.tsx';
import { MembersToolbar } from './toolbar.tsx';
import { useMemberSearch } from './use-member-search.ts';
import { useSelection } from './use-selection.ts';

const BulkBar = dynamic(() => import('./bulk-bar.tsx').then((module) => module.BulkBar), { ssr: false });
const FactsMissing = dynamic(() => import('./facts-missing.tsx').then((module) => module.FactsMissing), { ssr: false });
const MemberPeek = dynamic(() => import('./peek.tsx').then((module) => module.MemberPeek), { ssr: false });

/** Who can enter this project. The view is its URL. */
export function Members({ projectId }: { projectId: string }) {
  const { search, change, clear, filtered } = useMemberSearch();
  const members = useMembers(projectId, search);
  const policies = usePolicies(projectId);
  const ids = members.data?.members.map(({ id }) => id) ?? [];
  const invites = useInvitesOf(projectId, ids);
  const memberFacts = useMemberFacts(projectId, ids);
  const project = useProjectFacts(projectId);
  const filter = toMemberFilter(search);
  const selection = useSelection(ids, filter);
  const actions = useMemberActions(projectId, project, selection.drop);
  const sheet = useInviteSheet(projectId);
  const area = useRef<HTMLDivElement>(null);
  const peek = usePeek(area);
  const router = useRouter();
  useRowKeys(
    area,
    { peek: peek.open, edit: (id) => router.push(`/p/${projectId}/members/${id}`) },
    { c: () => sheet.open('one'), Escape: selection.clear },
  );
  const page = members.data;
  const policyNames = new Map(policies.data?.map(({ reference, name }) => [reference, name]));
  const toFirst = () => change({ page: 1 });
  const missing = [invites, memberFacts, policies].filter(({ error, data }) => error && !data);
  const refused = members.error && !page ? members.error : undefined;
  if (refused) {
    return (
      <>
        <PageHeading title="Members" />
        <Card>
          {refused instanceof ApiError && refused.status === 400 && search.page > 1 ? (
            <PageBeyond onFirst={toFirst} />
          ) : (
            <ErrorState error={refused} what="the members of this project" onRetry={() => void members.refetch()} />
          )}
        </Card>
      </>
    );
  }
  const view = {
    projectId,
    members: page?.members,
    context: {
      localUsers: page?.localUsers,
      owner: project.owner,
      invites: invites.data ?? (invites.error ? null : undefined),
      facts: memberFacts.data ?? (memberFacts.error ? new Map() : undefined),
      policyNames,
    },
    project,
    selection,
    onAction: actions.run,
  };
  const peeked = page?.members.find(({ id }) => id === peek.id);
  return (
    <div ref={area}>
      <PageHeading
        title="Members"
        actions={
          <InviteButtons
            open={sheet.open}
            more={<ExportButton projectId={projectId} search={search} names={policyNames} />}
          />
        }
      >
        Everyone who can enter this project, with role and access.
      </PageHeading>
      <JobsTray projectId={projectId} />
      <MembersToolbar
        search={search}
        policies={policies.data ?? []}
        change={change}
        clear={clear}
        filtered={filtered}
      />
      {missing.length > 0 ? <FactsMissing missing={missing} /> : null}
      {selection.all || selection.ids.size > 0 ? (
        <BulkBar projectId={projectId} selection={selection} total={page?.total ?? 0} filter={filter} />
      ) : null}
      <p role="status" className="sr-only">
        {page && !members.isPlaceholderData ? `${page.total} ${page.total === 1 ? 'member' : 'members'}` : ''}
      </p>
      {page?.members.length === 0 ? (
        <Card>
          {page.total > 0 ? (
            <PageBeyond onFirst={toFirst} />
          ) : (
            <EmptyState
              icon={<SearchX />}
              title="No member matches"
              action={<Button onClick={clear}>Clear filters</Button>}
            >
              Nobody in this project fits every filter above.
            </EmptyState>
          )}
        </Card>
      ) : (
        <>
          <MembersTable
            {...view}
            rows={search.size}
            stale={members.isPlaceholderData}
            sort={search.sort}
            onSort={(sort) => change({ sort })}
          />
          <MembersCards {...view} stale={members.isPlaceholderData} />
          {page ? <MembersPager search={search} total={page.total} change={change} /> : null}
          {page?.total === 1 && !filtered ? <OnlyYou onInvite={() => sheet.open('one')} /> : null}
        </>
      )}
      {peeked ? <MemberPeek peek={peek} projectId={projectId} member={peeked} context={view.context} /> : null}
      {actions.dialogs}
      {sheet.element}
    </div>
  );
}

function OnlyYou({ onInvite }: { onInvite: () => void }) {
  return (
    <Card className="mt-4 border-dashed bg-transparent shadow-none">
      <EmptyState
        icon={<UserRoundPlus />}
        title="Only you so far"
        action={
          <Button variant="primary" onClick={onInvite}>
            Invite somebody
          </Button>
        }
      >
        An invitation makes the account, the profile and the mail in one step.
      </EmptyState>
    </Card>
  );
}
