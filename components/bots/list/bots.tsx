'use client';
import { Plus, SearchX } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useQueryStates } from 'nuqs';
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
import { BotsCards } from './cards.tsx';
import { BotsEmpty } from './empty.tsx';
import { ALL, categoryOptions, fits, isFiltered, parsers, STATE_OPTIONS, TRIGGER_OPTIONS } from './filters.ts';
import { BotsTable } from './table.tsx';
import { type BotAsk, useBotActions } from './use-bot-actions.ts';

// Its form comes with the first press.
const CreateBotDialog = dynamic(() => import('./create-bot-dialog.tsx').then((module) => module.CreateBotDialog), {
  ssr: false,
  loading: DialogLoading,
});
const DuplicateDialog = dynamic(() => import('./duplicate-dialog.tsx').then((module) => module.DuplicateDialog), {
  ssr: false,
  loading: DialogLoading,
});
const PromoteDialog = dynamic(() => import('../life/promote-dialog.tsx').then((module) => module.PromoteDialog), {
  ssr: false,
  loading: DialogLoading,
});
const DeleteBotDialog = dynamic(() => import('../delete-bot-dialog.tsx').then((module) => module.DeleteBotDialog), {
  ssr: false,
  loading: DialogLoading,
});
const BotPeek = dynamic(() => import('./peek.tsx').then((module) => module.BotPeek), {
  ssr: false,
  loading: SheetLoading,
});

const warmPeek = warm(() => import('./peek.tsx'));

/** The programs that run inside the service. */
export function Bots({ projectId }: { projectId: string }) {
  const bots = useBots(projectId);
  // Undefined until it was first wanted.
  const [creating, setCreating] = useState<boolean>();
  const [view, setView] = useQueryStates(parsers, { history: 'push' });
  const { q, show, trigger, category } = view;
  const [asked, ask] = useState<{ what: BotAsk; bot: BotRow }>();
  const { entriesOf } = useBotActions(projectId, (what, bot) => ask({ what, bot }));
  const all = bots.data?.rows;
  const rows = all?.filter((bot) => fits(bot, view));
  const close = () => ask(undefined);
  const categories = categoryOptions(all ?? [], category);
  const area = useRef<HTMLDivElement>(null);
  const peek = usePeek(area);
  const router = useRouter();
  useRowKeys(
    area,
    { peek: peek.open, edit: (id) => router.push(`/p/${projectId}/bots/${id}`) },
    { c: () => all && setCreating(true) },
  );
  const isOnlyFailing = show === 'failing' && !q && trigger === ALL && category === ALL;
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
          <FilterBar onClear={isFiltered(view) ? () => void setView(null) : undefined}>
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
              options={STATE_OPTIONS}
              className="min-w-34"
            />
            <FilterSelect
              aria-label="What runs them"
              value={trigger}
              onValueChange={(next) => void setView({ trigger: next })}
              options={TRIGGER_OPTIONS}
              className="min-w-34"
            />
            {categories.length > 0 ? (
              <FilterSelect
                aria-label="Category"
                value={category}
                onValueChange={(next) => void setView({ category: next })}
                options={categories}
                className="min-w-34"
              />
            ) : null}
          </FilterBar>
          {rows?.length === 0 ? (
            <Card>
              <EmptyState
                icon={<SearchX />}
                title={isOnlyFailing ? 'No bot fails' : 'No bot matches'}
                action={<Button onClick={() => void setView(null)}>Show all bots</Button>}
              >
                {isOnlyFailing
                  ? 'In the last 24 hours each ended well, but for a few runs at most.'
                  : 'Nothing has that in its name, description or identifier, and is so.'}
              </EmptyState>
            </Card>
          ) : (
            <>
              <BotsTable projectId={projectId} bots={rows} entriesOf={entriesOf} />
              <BotsCards projectId={projectId} bots={rows} entriesOf={entriesOf} />
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
      {asked?.what === 'duplicate' ? <DuplicateDialog projectId={projectId} bot={asked.bot} onClose={close} /> : null}
      {asked?.what === 'promote' && asked.bot.live !== null ? (
        <PromoteDialog projectId={projectId} botId={asked.bot.id} live={asked.bot.live} onClose={close} />
      ) : null}
      {asked?.what === 'remove' ? <DeleteBotDialog projectId={projectId} bot={asked.bot} onClose={close} /> : null}
      {peeked ? <BotPeek peek={peek} projectId={projectId} bot={peeked} /> : null}
    </div>
  );
}
