'use client';
import Link from 'next/link';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Progress } from '#components/ui/feedback/progress.tsx';
import type { AccessReview } from '#lib/protocol/access-reviews/answers.ts';
import { isOverdue, STATES, toWhom } from './facts.ts';

export type ReviewCardProps = {
  projectId: string;
  review: AccessReview;
  policyNames: ReadonlyMap<string, string>;
};

/** One review: of whom, until when, and how far it has come. */
export function ReviewCard({ projectId, review, policyNames }: ReviewCardProps) {
  const { id, name, state, scope, total, decided, dueAt, mine, closedAt } = review;
  const { label, tone } = STATES[state];
  return (
    <Card className="flex flex-col gap-3 p-5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <Link
          href={`/p/${projectId}/access-reviews/${id}`}
          dir="auto"
          className="min-w-0 max-w-full truncate font-medium underline-offset-3 hover:underline"
        >
          {name}
        </Link>
        <Badge tone={tone} dot>
          {label}
        </Badge>
        {mine && state === 'open' ? <Badge tone="accent">You review</Badge> : null}
        {isOverdue(review) ? <Badge tone="danger">Overdue</Badge> : null}
      </div>
      <p className="break-words text-[0.8125rem] text-muted">
        {toWhom(scope, policyNames)} ·{' '}
        {closedAt ? (
          <>
            ended <Time at={closedAt} />
          </>
        ) : (
          <>
            due <Time at={dueAt} />
          </>
        )}
      </p>
      <div className="flex items-center gap-3">
        <Progress label={`Decided in ${name}`} value={decided} max={total} className="max-w-64" />
        <p className="whitespace-nowrap text-[0.8125rem] text-muted tabular-nums">
          {decided.toLocaleString('en')} of {total.toLocaleString('en')} decided
        </p>
      </div>
    </Card>
  );
}
