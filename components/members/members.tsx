'use client';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useRef } from 'react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { usePeek } from '#components/frame/use-peek.ts';
import { useRowKeys } from '#components/frame/use-row-keys.ts';
import { useSelection } from '#components/frame/use-selection.ts';
import { InviteButtons } from '#components/invites/sheet/buttons.tsx';
import { useInviteSheet } from '#components/invites/sheet/use-invite-sheet.tsx';
import { JobsTray } from '#components/jobs/jobs-tray.tsx';
import { Dock } from '#components/ui/display/dock.tsx';
import { SheetLoading } from '#components/ui/overlay/loading.tsx';
import { warm } from '#components/ui/overlay/warm.ts';
import { toMemberFilter } from '#lib/client/members/members.ts';
import { useMemberActions } from './actions/use-member-actions.tsx';
import { ExportButton } from './export-button.tsx';
import { MembersList } from './list.tsx';
import { MembersToolbar } from './toolbar.tsx';
import { useMembersView } from './use-members-view.ts';

const BulkBar = dynamic(() => import('./bulk-bar.tsx').then((module) => module.BulkBar), { ssr: false });
const MembersRefused = dynamic(() => import('./refused.tsx').then((module) => module.MembersRefused), { ssr: false });
const FactsMissing = dynamic(() => import('./facts-missing.tsx').then((module) => module.FactsMissing), { ssr: false });
const MemberPeek = dynamic(() => import('./peek.tsx').then((module) => module.MemberPeek), {
  ssr: false,
  loading: SheetLoading,
});

const warmPeek = warm(() => import('./peek.tsx'));

/** Who can enter this project. The view is its URL. */
export function Members({ projectId }: { projectId: string }) {
  const view = useMembersView(projectId);
  const { search, change, page, project, context } = view;
  const filter = toMemberFilter(search);
  const selection = useSelection(view.ids, filter);
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
  if (view.refused) {
    const toFirst = () => change({ page: 1 });
    return <MembersRefused error={view.refused} page={search.page} onFirst={toFirst} onRetry={view.retry} />;
  }
  const rows = { projectId, members: page?.members, context, project, selection, onAction: actions.run };
  const peeked = page?.members.find(({ id }) => id === peek.id);
  return (
    <div ref={area} {...warmPeek}>
      <PageHeading
        title="Members"
        actions={
          <InviteButtons
            open={sheet.open}
            more={<ExportButton projectId={projectId} search={search} names={context.policyNames} />}
          />
        }
      >
        Everyone who can enter this project, with role and access.
      </PageHeading>
      <MembersToolbar
        search={search}
        policies={view.policies}
        change={change}
        clear={view.clear}
        filtered={view.filtered}
      />
      {view.missing.length > 0 ? <FactsMissing missing={view.missing} /> : null}
      <p role="status" className="sr-only">
        {page && !view.stale ? `${page.total} ${page.total === 1 ? 'member' : 'members'}` : ''}
      </p>
      <MembersList view={view} rows={rows} onInvite={() => sheet.open('one')} />
      <Dock>
        <JobsTray projectId={projectId} />
        {selection.all || selection.ids.size > 0 ? (
          <BulkBar projectId={projectId} selection={selection} total={page?.total ?? 0} filter={filter} />
        ) : null}
      </Dock>
      {peeked ? <MemberPeek peek={peek} projectId={projectId} member={peeked} context={context} /> : null}
      {actions.dialogs}
      {sheet.element}
    </div>
  );
}
