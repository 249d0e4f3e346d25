'use client';
import { Cable, Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { parseAsString, useQueryState } from 'nuqs';
import { useState } from 'react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { useUrlSheet } from '#components/frame/use-url-sheet.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { DialogLoading, SheetLoading } from '#components/ui/overlay/loading.tsx';
import { waysOf } from '#lib/client/hl7-feeds/feed-form.ts';
import { useFeeds } from '#lib/client/hl7-feeds/hl7-feeds.ts';
import type { Hl7Feed } from '#lib/protocol/hl7/feeds/feed-answers.ts';
import { FeedCard } from './feed-card.tsx';

const FeedDialog = dynamic(() => import('./feed-dialog.tsx').then((module) => module.FeedDialog), {
  ssr: false,
  loading: DialogLoading,
});
const MessagesSheet = dynamic(() => import('./messages-sheet.tsx').then((module) => module.MessagesSheet), {
  ssr: false,
  loading: SheetLoading,
});

/** The sources of HL7 v2 messages of a project, with how each does. The address says whose messages are open. */
export function Hl7Feeds({ projectId }: { projectId: string }) {
  const feeds = useFeeds(projectId);
  /** One to change, or a new one. */
  const [editing, setEditing] = useState<Hl7Feed | 'new'>();
  const [open, setOpen] = useQueryState('feed', parseAsString);
  const sheet = useUrlSheet<string>((feed, options) => setOpen(feed, options));
  const { rows, server } = feeds.data ?? {};
  const listens = server !== undefined && waysOf(server).length > 0;
  const chosen = rows?.find(({ id }) => id === open);
  const add = (
    <Button variant="primary" onClick={() => setEditing('new')}>
      <Plus aria-hidden="true" />
      New feed
    </Button>
  );
  return (
    <>
      <PageHeading title="HL7 v2 feeds" actions={listens && rows && rows.length > 0 ? add : null}>
        Other systems that send HL7 v2 messages over MLLP, and the bots that get them.
      </PageHeading>
      {feeds.error && !rows ? (
        <Card>
          <ErrorState
            error={feeds.error}
            what="the HL7 v2 feeds of this project"
            onRetry={() => void feeds.refetch()}
          />
        </Card>
      ) : !rows ? (
        <SkeletonRegion label="Loading feeds" className="flex flex-col gap-3">
          {[0, 1].map((card) => (
            <Card key={card} className="flex flex-col gap-3 p-5">
              <Skeleton className="h-4 w-1/3" />
              <Skeleton className="h-10" />
            </Card>
          ))}
        </SkeletonRegion>
      ) : rows.length > 0 ? (
        <ul aria-label="HL7 v2 feeds" className="flex flex-col gap-3">
          {rows.map((feed) => (
            <li key={feed.id}>
              <FeedCard
                projectId={projectId}
                feed={feed}
                server={server!}
                onEdit={() => setEditing(feed)}
                onMessages={() => sheet.open(feed.id)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <Card>
          {listens ? (
            <EmptyState icon={<Cable />} title="Nobody sends yet" action={add}>
              A feed has a port of its own, or the certificate of its sender. What was acknowledged is kept until a bot
              has had it.
            </EmptyState>
          ) : (
            <EmptyState icon={<Cable />} title="This server does not listen for HL7 v2">
              Who runs it turns that on with MLLP_PORTS, or MLLP_TLS_PORT: docs/bots.md says how.
            </EmptyState>
          )}
        </Card>
      )}
      {editing && rows && server ? (
        <FeedDialog
          projectId={projectId}
          feed={editing === 'new' ? undefined : editing}
          feeds={rows}
          server={server}
          onClose={() => setEditing(undefined)}
        />
      ) : null}
      {chosen ? <MessagesSheet projectId={projectId} feed={chosen} onClose={sheet.close} /> : null}
    </>
  );
}
