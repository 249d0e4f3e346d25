'use client';
import { Eye } from 'lucide-react';
import Link from 'next/link';
import { parseAsString, useQueryStates } from 'nuqs';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { setBreadcrumbLeaf } from '#components/frame/breadcrumb.tsx';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { useAccessAsOf } from '#lib/client/activity/access-as-of.ts';
import { AccessResult } from './access-result.tsx';

const parsers = { resource: parseAsString.withDefault(''), at: parseAsString.withDefault('') };

/** Who could see a record at some moment, and who did. The question is the URL. */
export function AccessAsOf({ projectId }: { projectId: string }) {
  const [asked, ask] = useQueryStates(parsers, { history: 'push' });
  const answer = useAccessAsOf(projectId, asked);
  useEffect(() => {
    setBreadcrumbLeaf('Who could see a record');
    return () => setBreadcrumbLeaf(undefined);
  }, []);
  const isAsked = asked.resource !== '' && asked.at !== '';
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <PageHeading
        title="Who could see a record"
        actions={
          <Link href={`/p/${projectId}/activity`} className="text-accent-text text-sm underline underline-offset-3">
            Back to the activity
          </Link>
        }
      >
        By the memberships and policies as they were at that moment, and who read it in the day before.
      </PageHeading>
      <Question asked={asked} busy={answer.isLoading} ask={(next) => void ask(next)} />
      {answer.error ? (
        <Card>
          <ErrorState error={answer.error} what="who could see this record" onRetry={() => void answer.refetch()} />
        </Card>
      ) : !isAsked ? (
        <Card>
          <EmptyState icon={<Eye />} title="Ask about a record">
            Name it by type and id, as Patient/123, and choose a moment.
          </EmptyState>
        </Card>
      ) : answer.data ? (
        <AccessResult pages={answer.data.pages} />
      ) : (
        <SkeletonRegion label="Looking who could see it">
          <Skeleton className="w-1/2" />
        </SkeletonRegion>
      )}
      {answer.hasNextPage ? (
        <Button busy={answer.isFetchingNextPage} onClick={() => void answer.fetchNextPage()} className="self-center">
          Look at more members
        </Button>
      ) : null}
    </div>
  );
}

type Asked = { resource: string; at: string };

function Question({ asked, busy, ask }: { asked: Asked; busy: boolean; ask: (next: Asked) => void }) {
  const [resource, setResource] = useState(asked.resource);
  const [at, setAt] = useState(asked.at);
  const id = useId();
  // Back and forward change the question, too.
  useEffect(() => {
    setResource(asked.resource);
    setAt(asked.at);
  }, [asked.resource, asked.at]);

  function submit(event: FormEvent) {
    event.preventDefault();
    ask({ resource: resource.trim(), at });
  }

  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1.5">
        <label htmlFor={`${id}-record`} className="font-medium text-sm">
          Record
        </label>
        <Input
          id={`${id}-record`}
          value={resource}
          required
          placeholder="Patient/…"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setResource(event.target.value)}
        />
      </div>
      <div className="flex flex-col gap-1.5 max-sm:w-full">
        <label htmlFor={`${id}-at`} className="font-medium text-sm">
          Moment
        </label>
        <Input
          id={`${id}-at`}
          type="datetime-local"
          value={at}
          required
          onChange={(event) => setAt(event.target.value)}
        />
      </div>
      <Button type="submit" variant="primary" busy={busy}>
        Look
      </Button>
    </form>
  );
}
