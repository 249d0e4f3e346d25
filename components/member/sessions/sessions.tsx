'use client';
import dynamic from 'next/dynamic';
import { useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { signOutHere } from '#lib/client/frame/sign-out.ts';
import { useEndMemberSessions, useMemberSessions } from '#lib/client/member/sessions.ts';
import type { MemberSession, MemberSessions as Sessions } from '#lib/protocol/answers/member-sessions.ts';
import type { MemberView } from '../head.tsx';
import { MemberSessionRow } from './session-row.tsx';

const SessionConfirm = dynamic(() => import('./session-confirm.tsx').then((module) => module.SessionConfirm), {
  ssr: false,
});

const SHOWN = 10;

/** Where this member is signed in to this project. One session ends at a press; one's own, and all at once, ask first. */
export function MemberSessions({ projectId, member, facts }: MemberView) {
  const sessions = useMemberSessions(projectId, member.id);
  const end = useEndMemberSessions(projectId, member.id);
  const heading = useRef<HTMLHeadingElement>(null);
  const [ask, setAsk] = useState<MemberSession | 'all'>();
  const own = sessions.data?.rows.some(({ current }) => current) ?? false;

  async function finish(session: MemberSession | 'all') {
    const leaving = own && (session === 'all' || session.current);
    await end.mutateAsync({ session, leaving });
    if (leaving) return signOutHere();
    toast({ title: session === 'all' ? 'Every session has ended' : 'The session has ended' });
    // The button that was pressed is gone.
    heading.current?.focus();
  }

  function press(session: MemberSession) {
    if (session.current) return setAsk(session);
    finish(session).catch((error: Error) =>
      toast({ tone: 'danger', title: 'The session goes on', description: error.message }),
    );
  }

  return (
    <section aria-labelledby="member-sessions">
      <Card className="px-5 py-4">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-64">
            <h2 ref={heading} id="member-sessions" tabIndex={-1} className="font-semibold outline-none">
              Sessions
            </h2>
            <p className="mt-0.5 text-muted">
              Where {facts.name} is signed in to this project. Ending a session stops it at once.
            </p>
          </div>
          {facts.lastActiveAt || sessions.data?.total ? <Button onClick={() => setAsk('all')}>End all</Button> : null}
        </div>
        {sessions.error && !sessions.data ? (
          <ErrorState error={sessions.error} what="the sessions" onRetry={() => void sessions.refetch()} />
        ) : sessions.data ? (
          <List data={sessions.data} ending={end.isPending ? end.variables.session : undefined} onEnd={press} />
        ) : (
          <Skeleton className="mt-4 h-10" />
        )}
      </Card>
      {ask ? (
        <SessionConfirm
          name={facts.name}
          session={ask}
          total={sessions.data?.total ?? 0}
          own={own}
          onConfirm={() => finish(ask)}
          onClose={() => setAsk(undefined)}
        />
      ) : null}
    </section>
  );
}

type ListProps = { data: Sessions; ending: MemberSession | 'all' | undefined; onEnd: (session: MemberSession) => void };

function List({ data: { rows, total }, ending, onEnd }: ListProps) {
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, SHOWN);
  if (total === 0) return <p className="mt-3 border-line border-t pt-3 text-muted">Nobody is signed in now.</p>;
  return (
    <>
      <ul aria-label="Sessions" className="mt-3 divide-y divide-line border-line border-t">
        {shown.map((session) => (
          <MemberSessionRow
            key={session.id}
            session={session}
            busy={ending !== undefined && ending !== 'all' && ending.id === session.id}
            onEnd={() => onEnd(session)}
          />
        ))}
      </ul>
      {shown.length < rows.length ? (
        <Button size="sm" className="mt-3" onClick={() => setAll(true)}>
          Show {rows.length - shown.length} more
        </Button>
      ) : null}
      {all && rows.length < total ? (
        <p className="mt-3 text-muted">
          The newest {rows.length} of {total}. Ending all ends the others, too.
        </p>
      ) : null}
    </>
  );
}
