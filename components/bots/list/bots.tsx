'use client';
import { Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { usePeek } from '#components/frame/use-peek.ts';
import { useRowKeys } from '#components/frame/use-row-keys.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { useBots } from '#lib/client/bots/bots.ts';
import { BotsCards } from './cards.tsx';
import { BotsEmpty } from './empty.tsx';
import { BotsTable } from './table.tsx';

// Its form comes with the first press.
const CreateBotDialog = dynamic(() => import('./create-bot-dialog.tsx').then((module) => module.CreateBotDialog), {
  ssr: false,
});
const BotPeek = dynamic(() => import('./peek.tsx').then((module) => module.BotPeek), { ssr: false });

/** The programs that run inside the service. */
export function Bots({ projectId }: { projectId: string }) {
  const bots = useBots(projectId);
  // Undefined until it was first wanted.
  const [creating, setCreating] = useState<boolean>();
  const rows = bots.data?.rows;
  const area = useRef<HTMLDivElement>(null);
  const peek = usePeek(area);
  const router = useRouter();
  useRowKeys(
    area,
    { peek: peek.open, edit: (id) => router.push(`/p/${projectId}/bots/${id}`) },
    { c: () => rows && setCreating(true) },
  );
  const peeked = rows?.find(({ id }) => id === peek.id);
  return (
    <div ref={area}>
      <PageHeading
        title="Bots"
        actions={
          rows ? (
            <Button variant="primary" onClick={() => setCreating(true)}>
              <Plus aria-hidden="true" />
              New bot
            </Button>
          ) : null
        }
      >
        Code that runs inside this project, called over HTTP under a membership of its own.
      </PageHeading>
      {bots.error && !rows ? (
        <Card>
          <ErrorState error={bots.error} what="the bots of this project" onRetry={() => void bots.refetch()} />
        </Card>
      ) : rows?.length === 0 ? (
        <BotsEmpty projectId={projectId} />
      ) : (
        <>
          <p role="status" className="sr-only">
            {rows ? `${rows.length} ${rows.length === 1 ? 'bot' : 'bots'}` : ''}
          </p>
          <BotsTable projectId={projectId} bots={rows} />
          <BotsCards projectId={projectId} bots={rows} />
          {bots.data && bots.data.total > bots.data.rows.length ? (
            <p className="mt-3 text-muted">
              The first {bots.data.rows.length} of {bots.data.total} bots.
            </p>
          ) : null}
        </>
      )}
      {creating === undefined ? null : (
        <CreateBotDialog projectId={projectId} open={creating} onOpenChange={setCreating} />
      )}
      {peeked ? <BotPeek peek={peek} projectId={projectId} bot={peeked} /> : null}
    </div>
  );
}
