'use client';
import { MailCheck, SearchX } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useRef } from 'react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { usePeek } from '#components/frame/use-peek.ts';
import { useRowKeys } from '#components/frame/use-row-keys.ts';
import { JobsTray } from '#components/jobs/jobs-tray.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Dock } from '#components/ui/display/dock.tsx';
import { Pager } from '#components/ui/display/pager.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { PageBeyond } from '#components/ui/feedback/page-beyond.tsx';
import { SearchBox } from '#components/ui/form/search-box.tsx';
import { SheetLoading } from '#components/ui/overlay/loading.tsx';
import { warm } from '#components/ui/overlay/warm.ts';
import { ApiError } from '#lib/client/api/api-error.ts';
import { INVITES_PAGE_SIZE, useInvites } from '#lib/client/invites/invites.ts';
import { InviteButtons } from '../sheet/buttons.tsx';
import { useInviteSheet } from '../sheet/use-invite-sheet.tsx';
import { InvitesCards } from './cards.tsx';
import { StatusLinks } from './status-links.tsx';
import { InvitesTable } from './table.tsx';
import { useInviteActions } from './use-invite-actions.tsx';
import { useInviteSearch } from './use-invite-search.ts';

const InvitePeek = dynamic(() => import('./peek.tsx').then((module) => module.InvitePeek), {
  ssr: false,
  loading: SheetLoading,
});

const warmPeek = warm(() => import('./peek.tsx'));

/** Who was asked in, and how that stands. The view is its URL. */
export function Invites({ projectId }: { projectId: string }) {
  const { search, change } = useInviteSearch();
  const invites = useInvites(projectId, search);
  const actions = useInviteActions(projectId);
  const sheet = useInviteSheet(projectId);
  const area = useRef<HTMLDivElement>(null);
  const router = useRouter();
  const peek = usePeek(area);
  useRowKeys(
    area,
    { peek: peek.open, edit: (id) => router.push(`/p/${projectId}/members/${id}`) },
    { c: () => sheet.open('one') },
  );
  const page = invites.data;
  const peeked = page?.rows.find(({ membershipId }) => membershipId === peek.id);
  const toFirst = () => change({ page: 1 });
  const beyond = page
    ? page.rows.length === 0 && page.total > 0
    : invites.error instanceof ApiError && invites.error.status === 400 && search.page > 1;
  const view = { projectId, rows: page?.rows, stale: invites.isPlaceholderData, onAction: actions.run };
  return (
    <div ref={area} {...warmPeek}>
      <PageHeading title="Invites" actions={<InviteButtons open={sheet.open} />}>
        Who was asked in, and what became of it.
      </PageHeading>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <StatusLinks current={search.status} counts={page?.counts} onChange={(status) => change({ status })} />
        <SearchBox
          label="Search invitations by name or e-mail"
          placeholder="Name or e-mail"
          value={search.q}
          onSearch={(q) => change({ q })}
          className="w-full sm:w-64"
        />
      </div>
      {beyond ? (
        <Card>
          <PageBeyond onFirst={toFirst} />
        </Card>
      ) : invites.error && !page ? (
        <Card>
          <ErrorState
            error={invites.error}
            what="the invitations of this project"
            onRetry={() => void invites.refetch()}
          />
        </Card>
      ) : page?.rows.length === 0 ? (
        <Nobody
          searched={search.q !== ''}
          status={search.status}
          onClear={() => change({ q: '' })}
          onInvite={() => sheet.open('one')}
        />
      ) : (
        <>
          <InvitesTable {...view} />
          <InvitesCards {...view} />
          {page ? (
            <Pager
              page={search.page}
              size={INVITES_PAGE_SIZE}
              total={page.total}
              onPage={(next) => change({ page: next })}
            />
          ) : null}
        </>
      )}
      <Dock>
        <JobsTray projectId={projectId} />
      </Dock>
      {peeked ? <InvitePeek peek={peek} projectId={projectId} row={peeked} /> : null}
      {actions.dialogs}
      {sheet.element}
    </div>
  );
}

const NOTHING = {
  pending: ['No one is waiting', 'Who is invited stands here until they answer, or the invitation ends.'],
  accepted: ['Nobody has accepted yet', 'Who opens their link and chooses a password appears here.'],
  expired: ['No invitation has run out', 'A link that nobody used for seven days ends up here.'],
  revoked: ['Nothing was taken back', 'Invitations that you revoke appear here.'],
  failed: ['Every mail got through', 'Mail that bounces or cannot be sent appears here, with the reason.'],
} as const;

type NobodyProps = { searched: boolean; status: keyof typeof NOTHING; onClear: () => void; onInvite: () => void };

function Nobody({ searched, status, onClear, onInvite }: NobodyProps) {
  const [title, text] = NOTHING[status];
  return (
    <Card>
      {searched ? (
        <EmptyState
          icon={<SearchX />}
          title="No invitation matches"
          action={<Button onClick={onClear}>Clear the search</Button>}
        >
          Nobody of this state has that in their name or e-mail.
        </EmptyState>
      ) : (
        <EmptyState icon={<MailCheck />} title={title} action={<Button onClick={onInvite}>Invite somebody</Button>}>
          {text}
        </EmptyState>
      )}
    </Card>
  );
}
