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
import { useReads } from '#lib/client/activity/access-as-of.ts';
import { ApiError } from '#lib/client/api/api-error.ts';
import { useWho } from '#lib/client/sight/who.ts';
import { AccessResult } from './access-result.tsx';

const parsers = { resource: parseAsString.withDefault(''), at: parseAsString.withDefault('') };

/** Who can see a record, by which rule, or could at some moment, and who did. The question is the URL. */
export function AccessAsOf({ projectId }: { projectId: string }) {
  const [asked, ask] = useQueryStates(parsers, { history: 'push' });
  const answer = useWho(projectId, asked);
  const reads = useReads(projectId, asked);
  useEffect(() => {
    setBreadcrumbLeaf('Who can see a record');
    return () => setBreadcrumbLeaf(undefined);
  }, []);
  const isAbsent = answer.error instanceof ApiError && answer.error.status === 404;
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <PageHeading
        title="Who can see a record"
        actions={
          <Link href={`/p/${projectId}/activity`} className="text-accent-text text-sm underline underline-offset-3">
            Back to the activity
          </Link>
        }
      >
        By the memberships and policies as they are, or were at a moment, and the rule that lets each. What the scopes
        of an app take away is not looked at.
      </PageHeading>
      <Question asked={asked} busy={answer.isLoading} ask={(next) => void ask(next)} />
      {isAbsent ? (
        <Card className="p-5">
          {asked.at === '' ? 'There is no such record that you can see.' : 'There was no such record at that moment.'}
        </Card>
      ) : answer.error ? (
        <Card>
          <ErrorState error={answer.error} what="who can see this record" onRetry={() => void answer.refetch()} />
        </Card>
      ) : asked.resource === '' ? (
        <Card>
          <EmptyState icon={<Eye />} title="Ask about a record">
            Name it by type and id, as Patient/123. Without a moment it is asked as things are now.
          </EmptyState>
        </Card>
      ) : answer.data ? (
        <AccessResult projectId={projectId} pages={answer.data.pages} isThen={asked.at !== ''} reads={reads} />
      ) : (
        <SkeletonRegion label="Looking who can see it">
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
          Moment <span className="font-normal text-muted">(empty: now)</span>
        </label>
        <Input id={`${id}-at`} type="datetime-local" value={at} onChange={(event) => setAt(event.target.value)} />
      </div>
      <Button type="submit" variant="primary" busy={busy}>
        Look
      </Button>
    </form>
  );
}
