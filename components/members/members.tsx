'use client';
import { SearchX, UserRoundPlus } from 'lucide-react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { useMembers } from '#lib/client/members.ts';
import { MembersCards } from './members-cards.tsx';
import { MembersPager } from './members-pager.tsx';
import { MembersTable } from './members-table.tsx';
import { MembersToolbar } from './members-toolbar.tsx';
import { useMemberSearch } from './use-member-search.ts';

/** Who can enter this project. The view is its URL. */
export function Members({ projectId }: { projectId: string }) {
  const { search, change, clear, filtered } = useMemberSearch();
  const members = useMembers(projectId, search);
  const page = members.data;
  const refused = members.error && !page ? members.error : undefined;
  return (
    <>
      <PageHeading title="Members">Everyone who can enter this project, with role and access.</PageHeading>
      {refused ? (
        <Card>
          <ErrorState error={refused} what="the members of this project" onRetry={() => void members.refetch()} />
        </Card>
      ) : (
        <>
          <MembersToolbar search={search} change={change} clear={clear} filtered={filtered} />
          <p role="status" className="sr-only">
            {page && !members.isPlaceholderData ? `${page.total} members` : ''}
          </p>
          {page?.members.length === 0 ? (
            <Card>
              <EmptyState
                icon={<SearchX />}
                title={filtered ? 'No member matches' : 'Nothing on this page'}
                action={<Button onClick={clear}>Clear filters</Button>}
              >
                {filtered
                  ? 'Nobody in this project fits every filter above.'
                  : 'The list has become shorter than it was.'}
              </EmptyState>
            </Card>
          ) : (
            <>
              <MembersTable
                members={page?.members}
                rows={search.size}
                stale={members.isPlaceholderData}
                sort={search.sort}
                onSort={(sort) => change({ sort })}
              />
              <MembersCards members={page?.members} stale={members.isPlaceholderData} />
              {page ? <MembersPager search={search} total={page.total} change={change} /> : null}
              {page?.total === 1 && !filtered ? <OnlyYou projectId={projectId} /> : null}
            </>
          )}
        </>
      )}
    </>
  );
}

function OnlyYou({ projectId }: { projectId: string }) {
  return (
    <Card className="mt-4 border-dashed bg-transparent shadow-none">
      <EmptyState
        icon={<UserRoundPlus />}
        title="Only you so far"
        action={
          <CopyButton variant="secondary" size="md" label="Copy invite request" value={toInviteCurl(projectId)}>
            Copy the request as curl
          </CopyButton>
        }
      >
        Invite people over the API: one POST to{' '}
        <code className="break-all font-mono text-xs">/admin/projects/{projectId}/invite</code> makes the account, the
        profile and the mail.
      </EmptyState>
    </Card>
  );
}

function toInviteCurl(projectId: string): string {
  const body = { resourceType: 'Practitioner', firstName: 'Ada', lastName: 'Okonkwo', email: 'ada@clinic.example' };
  return [
    `curl -X POST ${window.location.origin}/admin/projects/${projectId}/invite \\`,
    `  -u "$CLIENT_ID:$CLIENT_SECRET" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
