'use client';
import { MemberChanges } from '#components/account-changes/member-changes.tsx';
import { MemberKeys } from '#components/api-keys/member-keys.tsx';
import { findGuard, type MemberAction } from '#components/members/actions/guards.ts';
import { MemberSafety } from '#components/safety/member-safety.tsx';
import { MemberDates } from '#components/tenure/member-dates.tsx';
import { MemberOwnership } from '#components/tenure/member-ownership.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton } from '#components/ui/feedback/skeleton.tsx';
import { useOnce } from '#components/ui/use-once.ts';
import { useMemberInvite } from '#lib/client/member/details.ts';
import type { MemberInvite } from '#lib/protocol/answers/member-invite.ts';
import { MemberErasure } from './erase-row.tsx';
import type { MemberView } from './head.tsx';
import { MemberRecord } from './record-row.tsx';
import { MemberSessions } from './sessions/sessions.tsx';
import { SettingRow } from './setting-row.tsx';
import { SignInAddress } from './sign-in-address.tsx';
import { MemberTwoStep } from './two-step.tsx';
import { MemberWays } from './ways.tsx';

type SecurityTabProps = MemberView & { onAction: (action: MemberAction) => Promise<void> };

/** How this member gets in: invitation, password, and whether the door is open at all. */
export function SecurityTab(view: SecurityTabProps) {
  const { member, facts } = view;
  const active = member.active !== false;
  return (
    <div className="flex flex-col gap-4">
      {facts.person ? <Invitation {...view} /> : null}
      {facts.person ? <SignInAddress {...view} /> : null}
      {facts.person ? (
        <SettingRow
          about={member.id}
          title="Password"
          reason={findGuard('reset', member, view.project)}
          action={
            <Act {...view} action="reset">
              Send a reset link
            </Act>
          }
        >
          They choose a new one by a link that works for an hour. Nobody else sees it, and their other sessions end.
        </SettingRow>
      ) : null}
      {facts.person ? <MemberWays {...view} /> : null}
      {facts.person ? <MemberDates {...view} /> : null}
      {facts.person ? <MemberTwoStep {...view} /> : null}
      <MemberSessions {...view} />
      <MemberSafety projectId={view.projectId} member={member} facts={facts} project={view.project} />
      {facts.person ? <MemberKeys {...view} /> : null}
      {facts.person ? <MemberOwnership {...view} /> : null}
      <MemberRecord {...view} />
      <SettingRow
        about={member.id}
        title={active ? 'Access to this project' : 'Deactivated'}
        reason={findGuard(active ? 'deactivate' : 'reactivate', member, view.project, view.facts.directory)}
        action={
          <Act {...view} action={active ? 'deactivate' : 'reactivate'}>
            {active ? 'Deactivate' : 'Reactivate'}
          </Act>
        }
      >
        {active
          ? 'Deactivating ends every session of this member in this project at once. It can be taken back.'
          : 'This member cannot enter. Reactivating gives back the same role and policies.'}
      </SettingRow>
      {facts.person ? <MemberErasure {...view} /> : null}
      {facts.person ? <MemberChanges projectId={view.projectId} membershipId={member.id} name={facts.name} /> : null}
    </div>
  );
}

const STATES: Record<MemberInvite['state'], { tone: 'good' | 'info' | 'warn' | 'neutral'; text: string }> = {
  accepted: { tone: 'good', text: 'Accepted' },
  pending: { tone: 'info', text: 'Waiting for an answer' },
  expired: { tone: 'warn', text: 'Expired' },
  revoked: { tone: 'neutral', text: 'Taken back' },
  none: { tone: 'neutral', text: 'None' },
};

function Invitation(view: SecurityTabProps) {
  const { projectId, member, project } = view;
  const invite = useMemberInvite(projectId, member.id);
  if (invite.error) {
    return (
      <Card>
        <ErrorState error={invite.error} what="the invitation" onRetry={() => void invite.refetch()} />
      </Card>
    );
  }
  if (!invite.data) return <Skeleton className="h-24 rounded-xl max-sm:h-33" />;
  const { state, link, mail } = invite.data;
  const reason = state === 'accepted' ? undefined : findGuard('resend', member, project);
  const [last] = mail;
  return (
    <SettingRow
      about={member.id}
      className="min-h-24 max-sm:min-h-33"
      title={
        <>
          Invitation{' '}
          <Badge tone={STATES[state].tone} dot className="ml-1.5">
            {STATES[state].text}
          </Badge>
        </>
      }
      reason={reason}
      action={
        state === 'accepted' ? null : (
          <Act {...view} action="resend">
            Send again
          </Act>
        )
      }
    >
      {link?.usedAt ? (
        <>
          Accepted <Time at={link.usedAt} />.
        </>
      ) : link ? (
        <>
          Made <Time at={link.createdAt} />, {state === 'expired' ? 'ended' : 'ends'} <Time at={link.expiresAt} />
          {link.openedAt ? (
            <>
              , opened <Time at={link.openedAt} />
            </>
          ) : null}
          .
        </>
      ) : state === 'accepted' ? (
        'This person had a login already.'
      ) : (
        'No invitation was made.'
      )}{' '}
      {last ? `Last mail: ${last.state}${last.error ? ` (${last.error})` : ''}.` : null}
    </SettingRow>
  );
}

/** Each press of these mails somebody or ends something: twice is not once. */
function Act({
  action,
  member,
  facts,
  project,
  onAction,
  children,
}: SecurityTabProps & { action: MemberAction; children: string }) {
  const { busy, once } = useOnce();
  const refused = findGuard(action, member, project, facts.directory) !== undefined;
  return (
    <Button busy={busy} disabled={refused} onClick={() => void once(() => onAction(action))}>
      {children}
    </Button>
  );
}
