'use client';
import { Plus, SearchX } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useRef, useState } from 'react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { usePeek } from '#components/frame/use-peek.ts';
import { useRowKeys } from '#components/frame/use-row-keys.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { FilterBar } from '#components/ui/form/filter-bar.tsx';
import { FilterSelect } from '#components/ui/form/filter-select.tsx';
import { SearchBox } from '#components/ui/form/search-box.tsx';
import { DialogLoading, SheetLoading } from '#components/ui/overlay/loading.tsx';
import { warm } from '#components/ui/overlay/warm.ts';
import { useBots } from '#lib/client/bots/bots.ts';
import type { BotRow } from '#lib/protocol/bots/bots.ts';
import { toIdentifierText } from '../facts.ts';
import { BotsCards } from './cards.tsx';
import { BotsEmpty } from './empty.tsx';
import { BotsTable } from './table.tsx';

// Its form comes with the first press.
const CreateBotDialog = dynamic(() => import('./create-bot-dialog.tsx').then((module) => module.CreateBotDialog), {
  ssr: false,
  loading: DialogLoading,
});
const BotPeek = dynamic(() => import('./peek.tsx').then((module) => module.BotPeek), {
  ssr: false,
  loading: SheetLoading,
});

const SHOWN = [
  { value: 'all', label: 'All bots' },
  { value: 'failing', label: 'Failing' },
] as const;
const parsers = {
  q: parseAsString.withDefault(''),
  show: parseAsStringLiteral(['all', 'failing'] as const).withDefault('all'),
};

function fits({ name, description, identifier, failing }: BotRow, q: string, show: 'all' | 'failing'): boolean {
  const words = q.trim().toLowerCase();
  const texts = [name, description ?? '', ...identifier.map(toIdentifierText)];
  return (show === 'all' || failing) && texts.some((text) => text.toLowerCase().includes(words));
}

const warmPeek = warm(() => import('./peek.tsx'));

/** The programs that run inside the service. */
export function Bots({ projectId }: { projectId: string }) {
  const bots = useBots(projectId);
  // Undefined until it was first wanted.
  const [creating, setCreating] = useState<boolean>();
  const [{ q, show }, setView] = useQueryStates(parsers, { history: 'push' });
  const all = bots.data?.rows;
  const rows = all?.filter((bot) => fits(bot, q, show));
  const area = useRef<HTMLDivElement>(null);
  const peek = usePeek(area);
  const router = useRouter();
  useRowKeys(
    area,
    { peek: peek.open, edit: (id) => router.push(`/p/${projectId}/bots/${id}`) },
    { c: () => all && setCreating(true) },
  );
  const peeked = rows?.find(({ id }) => id === peek.id);
  return (
    <div ref={area} {...warmPeek}>
      <PageHeading
        title="Bots"
        actions={
          all ? (
            <Button variant="primary" onClick={() => setCreating(true)}>
              <Plus aria-hidden="true" />
              New bot
            </Button>
          ) : null
        }
      >
        Code that runs inside this project, called over HTTP under a membership of its own.
      </PageHeading>
      {bots.error && !all ? (
        <Card>
          <ErrorState error={bots.error} what="the bots of this project" onRetry={() => void bots.refetch()} />
        </Card>
      ) : all?.length === 0 ? (
        <BotsEmpty projectId={projectId} />
      ) : (
        <>
          <p role="status" className="sr-only">
            {rows ? `${rows.length} ${rows.length === 1 ? 'bot' : 'bots'}` : ''}
          </p>
          <FilterBar onClear={q || show !== 'all' ? () => void setView(null) : undefined}>
            <SearchBox
              label="Search bots by name or identifier"
              placeholder="Name or identifier"
              value={q}
              onSearch={(next) => void setView({ q: next })}
              className="w-full sm:w-72"
            />
            <FilterSelect
              aria-label="How they do"
              value={show}
              onValueChange={(next) => void setView({ show: next })}
              options={SHOWN}
              className="min-w-34"
            />
          </FilterBar>
          {rows?.length === 0 ? (
            <Card>
              <EmptyState
                icon={<SearchX />}
                title={show === 'failing' && !q ? 'No bot fails' : 'No bot matches'}
                action={<Button onClick={() => void setView(null)}>Show all bots</Button>}
              >
                {show === 'failing' && !q
                  ? 'In the last 24 hours each ended well, but for a few runs at most.'
                  : 'Nothing has that in its name, description or identifier.'}
              </EmptyState>
            </Card>
          ) : (
            <>
              <BotsTable projectId={projectId} bots={rows} />
              <BotsCards projectId={projectId} bots={rows} />
            </>
          )}
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
