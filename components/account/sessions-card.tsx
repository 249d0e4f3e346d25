'use client';
import { focusCard, SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useEndSessions } from '#lib/client/account/account.ts';
import { useDevices } from '#lib/client/account/devices.ts';
import type { OwnSession } from '#lib/protocol/answers/me.ts';
import { toPlace } from './place.ts';
import { SessionDevice, toAgentName } from './session-device.tsx';

/** Where one is signed in. Ending a session stops it within the second. */
export function SessionsCard({ sessions }: { sessions: readonly OwnSession[] }) {
  const end = useEndSessions();
  const { data } = useDevices();
  const names = new Map(data?.devices.map(({ id, name }) => [id, name]));
  const toName = (session: OwnSession) => names.get(session.device ?? '') ?? toOwnName(session);
  const others = sessions.filter((session) => !session.current);
  const finish = (ids: string[]) =>
    end.mutate(ids, {
      onSuccess: () => {
        toast({ title: ids.length === 1 ? 'The session has ended' : `${ids.length} sessions have ended` });
        focusCard('sessions');
      },
      onError: (error) => toast({ tone: 'danger', title: 'The session goes on', description: error.message }),
    });
  const isEnding = (id: string) => end.isPending && end.variables.length === 1 && end.variables[0] === id;
  return (
    <SettingsCard
      id="sessions"
      title="Sessions"
      description="Where you are signed in, in all projects."
      action={
        others.length > 1 ? (
          <Button busy={end.isPending && end.variables.length > 1} onClick={() => finish(others.map(({ id }) => id))}>
            End all others
          </Button>
        ) : null
      }
    >
      <ul aria-label="Sessions" className="divide-y divide-line">
        {sessions.map((session) => (
          <ListRow key={session.id} about={session.id} className="flex min-h-14 items-center gap-3 py-2">
            <SessionDevice os={session.os} />
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{toName(session)}</p>
              <p className="text-[0.8125rem] text-muted">
                <Time at={session.lastUpdated} />
                {toPlace(session.remoteAddress) ? ` from ${toPlace(session.remoteAddress)}` : ''} · signed in{' '}
                <Time at={session.startedAt} />
              </p>
            </div>
            {session.current ? (
              <Badge tone="good" dot>
                This one
              </Badge>
            ) : (
              <Button
                size="sm"
                busy={isEnding(session.id)}
                aria-label={`End the session of ${toName(session)}`}
                onClick={() => finish([session.id])}
              >
                End
              </Button>
            )}
          </ListRow>
        ))}
      </ul>
    </SettingsCard>
  );
}

function toOwnName(session: OwnSession): string {
  return toAgentName(session) || WAYS[session.authMethod] || 'A program';
}

const WAYS: Record<string, string> = {
  password: 'A program, with your password',
  passkey: 'A program, with your passkey',
  link: 'A program, by a mailed link',
};
