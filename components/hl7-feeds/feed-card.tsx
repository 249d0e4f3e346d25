'use client';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Switch } from '#components/ui/form/switch.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { toFeedForm, toFeedRequest } from '#lib/client/hl7-feeds/feed-form.ts';
import { useRemoveFeed, useSaveFeed } from '#lib/client/hl7-feeds/hl7-feeds.ts';
import type { Hl7Feed, Hl7Server } from '#lib/protocol/hl7/feeds/feed-answers.ts';

export type FeedCardProps = {
  projectId: string;
  feed: Hl7Feed;
  server: Hl7Server;
  onEdit: () => void;
  onMessages: () => void;
};

const ANSWERS = { stored: 'acknowledged once it is stored', bot: 'acknowledged by its bot' };

/** A feed: where it is listened to, for whom, how it does, and whether it is on. */
export function FeedCard({ projectId, feed, server, onEdit, onMessages }: FeedCardProps) {
  const save = useSaveFeed(projectId);
  const remove = useRemoveFeed(projectId);
  const [removing, setRemoving] = useState(false);
  const { id, name, bot, port, tls, answer, active, allowedAddress, state } = feed;
  const turn = async (next: boolean) => {
    try {
      await save.mutateAsync({ id, body: { ...toFeedRequest(toFeedForm(feed), next), over: feed.version } });
      toast({ title: next ? `${name} is on` : `${name} is off` });
    } catch (error) {
      toast({ title: `${name} stays as it is`, description: (error as Error).message, tone: 'danger' });
    }
  };
  const place =
    port === null ? `${server.host}:${server.tlsPort}, by certificate` : `${server.host}:${port}${tls ? ', TLS' : ''}`;
  return (
    <Card className="flex flex-col gap-3 p-5">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="min-w-0 truncate font-semibold text-[0.9375rem]">{name}</h2>
            <StateBadge feed={feed} />
          </div>
          <p className="mt-1 text-[0.8125rem] text-muted [overflow-wrap:anywhere]">
            <span className="font-mono">{place}</span> · {ANSWERS[answer]}
            {allowedAddress.length > 0 ? ` · from ${allowedAddress.join(', ')}` : ''}
          </p>
          <p className="mt-1 text-[0.8125rem]">
            <span className="text-muted">Bot </span>
            <Link
              href={`/p/${projectId}/bots/${bot.reference.slice('Bot/'.length)}`}
              className="font-medium text-accent-text underline underline-offset-3"
            >
              {bot.display || 'Unnamed bot'}
            </Link>
          </p>
        </div>
        <Switch
          aria-label={`${name} is on`}
          checked={active}
          disabled={save.isPending}
          onCheckedChange={(next) => void turn(next)}
        />
      </div>
      {state.fault ? (
        <Alert tone="warn">
          {state.fault}
          {state.faultAt ? (
            <>
              {' '}
              (<Time at={state.faultAt} />)
            </>
          ) : null}
        </Alert>
      ) : null}
      <dl className="flex flex-wrap gap-x-6 gap-y-2 text-[0.8125rem]">
        <Fact name="Received" value={state.received} />
        <Fact name="Waiting" value={state.waiting} />
        <Fact name="Failed" value={state.failed >= 1000 ? '1000 or more' : state.failed} isBad={state.failed > 0} />
        <Fact name="Repeated" value={state.repeated} />
        <Fact name="Refused" value={state.refused} />
        <Fact name="Connections" value={state.connections} />
        <div>
          <dt className="text-muted">Last message</dt>
          <dd>{state.lastMessageAt ? <Time at={state.lastMessageAt} /> : 'None yet'}</dd>
        </div>
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={onMessages} aria-label={`Messages of ${name}`}>
          Messages
        </Button>
        <Button size="sm" onClick={onEdit} aria-label={`Change ${name}`}>
          Change…
        </Button>
        <Button
          size="sm"
          variant="ghost"
          className="text-danger-text"
          onClick={() => setRemoving(true)}
          aria-label={`Remove ${name}`}
        >
          Remove…
        </Button>
      </div>
      {removing ? (
        <ConfirmDialog
          title={`Remove ${name}?`}
          confirm="Remove the feed"
          danger
          onConfirm={async () => {
            await remove.mutateAsync(id);
            toast({ title: `${name} is removed` });
          }}
          onClose={() => setRemoving(false)}
        >
          <p>
            Nobody listens at <strong>{place}</strong> any more, and its sender is not answered. Its messages are not
            shown any more; their runs stay.
          </p>
        </ConfirmDialog>
      ) : null}
    </Card>
  );
}

function StateBadge({ feed: { active, state } }: { feed: Hl7Feed }) {
  if (!active) return <Badge>Off</Badge>;
  return state.listening ? (
    <Badge tone="good" dot>
      Listening
    </Badge>
  ) : (
    <Badge tone="warn" dot>
      Not listening
    </Badge>
  );
}

function Fact({ name, value, isBad = false }: { name: string; value: number | string; isBad?: boolean }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className={isBad ? 'font-medium text-danger-text tabular-nums' : 'tabular-nums'}>{value}</dd>
    </div>
  );
}
