'use client';
import { SessionDevice, toAgentName } from '#components/account/session-device.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import type { MemberSession } from '#lib/protocol/answers/member-sessions.ts';

const METHODS = { password: 'Password', passkey: 'Passkey', client: 'Client secret', execute: 'Bot run' };

export type MemberSessionRowProps = { session: MemberSession; busy: boolean; onEnd: () => void };

export function MemberSessionRow({ session, busy, onEnd }: MemberSessionRowProps) {
  const { startedAt, lastUsedAt, method, client, current, os } = session;
  const name = toSessionName(session);
  return (
    <ListRow about={session.id} className="flex min-h-16 items-center gap-3 py-2.5">
      <SessionDevice os={os} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 truncate font-medium">{name}</span>
          {current ? (
            <Badge tone="good" dot>
              This one
            </Badge>
          ) : null}
        </p>
        <p className="text-[0.8125rem] text-muted">
          {METHODS[method]}
          {client && client.display !== name ? ` · ${client.display}` : ''} · began <Time at={startedAt} /> · last used{' '}
          <Time at={lastUsedAt} />
        </p>
      </div>
      <Button size="sm" busy={busy} aria-label={`End the session of ${name}`} onClick={onEnd}>
        End
      </Button>
    </ListRow>
  );
}

function toSessionName(session: MemberSession): string {
  return toAgentName(session) || session.client?.display || 'A program';
}
