'use client';
import { ShieldQuestionMark } from 'lucide-react';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useEffect, useState } from 'react';
import { setBreadcrumbLeaf } from '#components/frame/breadcrumb.tsx';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { type ExplainQuestion, useExplanation } from '#lib/client/access-test/explain.ts';
import { Answer } from './answer.tsx';
import { DecisionCard } from './decision-card.tsx';
import { KeepTest } from './keep-test.tsx';
import { INTERACTIONS, Question } from './question.tsx';

const parsers = {
  membership: parseAsString.withDefault(''),
  policy: parseAsString.withDefault(''),
  interaction: parseAsStringLiteral(INTERACTIONS).withDefault('read'),
  type: parseAsString.withDefault(''),
};

/** What a member may do, or would with a draft, and why. The address says whose and of which type; what is of a record it does not say. */
export function AccessTest({ projectId }: { projectId: string }) {
  const [place, setPlace] = useQueryStates(parsers, { history: 'replace' });
  const [question, setQuestion] = useState<ExplainQuestion>();
  const answer = useExplanation(projectId, question);
  useEffect(() => {
    setBreadcrumbLeaf('Test access');
    return () => setBreadcrumbLeaf(undefined);
  }, []);
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <PageHeading title="Test access">
        The request is made with the rights of the member and taken back: nothing is changed, and they are not told.
      </PageHeading>
      <Question
        projectId={projectId}
        place={place}
        onPlace={(next) => void setPlace(next)}
        busy={answer.isFetching}
        ask={(next) => {
          setQuestion(next);
          if (next === question) void answer.refetch();
        }}
      />
      {answer.error ? (
        <Card>
          <ErrorState error={answer.error} what="the answer" onRetry={() => void answer.refetch()} />
        </Card>
      ) : question === undefined ? (
        <Card>
          <EmptyState icon={<ShieldQuestionMark />} title="Ask what somebody may do">
            Choose a member, or write a draft of a policy, and what is to be done with which type.
          </EmptyState>
        </Card>
      ) : answer.data ? (
        <>
          <Answer explanation={answer.data} />
          {place.policy && question.policy ? (
            <KeepTest
              key={JSON.stringify(question)}
              projectId={projectId}
              reference={place.policy}
              question={question}
              explanation={answer.data}
            />
          ) : null}
        </>
      ) : (
        <SkeletonRegion label="Asking">
          <Skeleton className="w-1/2" />
        </SkeletonRegion>
      )}
      <DecisionCard projectId={projectId} />
    </div>
  );
}
