'use client';
import { FlaskConical, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { storedTests, useRunTests, withoutTest } from '#lib/client/policies/policy-tests.ts';
import type { PolicyTest, PolicyTestResult } from '#lib/protocol/policies/policy-test.ts';
import type { PolicyEditor } from '../editor/use-policy-editor.ts';

export type PolicyTestsProps = { projectId: string; policyId: string; editor: PolicyEditor };

/** What the policy must go on to answer: each save runs these. They are run of what the editor holds, saved or not. */
export function PolicyTests({ projectId, policyId, editor: { policy, changePolicy } }: PolicyTestsProps) {
  const run = useRunTests(projectId, policyId);
  if (!policy) return <Card className="p-4 text-muted">The tests wait until the JSON is a policy again.</Card>;
  const tests = storedTests(policy);
  const add = (
    <Link
      href={`/p/${projectId}/access-test?policy=${encodeURIComponent(`AccessPolicy/${policyId}`)}`}
      className={buttonClass()}
    >
      Add by Test access
    </Link>
  );
  if (tests.length === 0) {
    return (
      <Card>
        <EmptyState icon={<FlaskConical />} title="No tests yet" action={add}>
          Ask in Test access what this policy allows, and keep the answer: from then on no save changes it unnoticed.
        </EmptyState>
      </Card>
    );
  }
  const results = new Map(run.data?.results.map((result) => [result.name, result]));
  const failed = [...results.values()].filter(({ result }) => result !== 'pass').length;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" busy={run.isPending} onClick={() => run.mutate(policy)}>
          Run tests
        </Button>
        {add}
        <p role="status" className="text-muted text-sm">
          {run.data ? (failed === 0 ? `All ${results.size} pass` : `${failed} of ${results.size} do not pass`) : null}
        </p>
      </div>
      {run.error ? <Alert tone="danger">{run.error.message}</Alert> : null}
      <Card>
        <ul aria-label="Tests" className="divide-y divide-line">
          {tests.map((test) => (
            <Row
              key={test.name}
              test={test}
              result={results.get(test.name)}
              onRemove={() => changePolicy(withoutTest(policy, test.name))}
            />
          ))}
        </ul>
      </Card>
    </div>
  );
}

const RESULTS = {
  pass: { tone: 'good', label: 'Passes' },
  fail: { tone: 'danger', label: 'Fails' },
  missing: { tone: 'warn', label: 'Cannot be run' },
} as const;

type RowProps = { test: PolicyTest; result: PolicyTestResult | undefined; onRemove: () => void };

function Row({ test, result, onRemove }: RowProps) {
  const { name, expect } = test;
  const told = result && RESULTS[result.result];
  return (
    <li className="flex items-start gap-3 px-4 py-3 text-sm">
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {told ? <Badge tone={told.tone}>{told.label}</Badge> : null}
        </p>
        <p className="text-muted">
          {toQuestion(test)}: {toAnswer(expect)}
        </p>
        {result && result.result !== 'pass' ? (
          <p className="mt-1 text-danger-text">
            {result.got ? `It is: ${toAnswer(result.got)}. ` : ''}
            {result.text}
          </p>
        ) : null}
      </div>
      <Button size="icon-sm" variant="ghost" aria-label={`Remove the test ${name}`} onClick={onRemove}>
        <Trash2 aria-hidden="true" />
      </Button>
    </li>
  );
}

const OUTCOMES: Record<string, string> = { allow: 'allowed', some: 'allowed for some', deny: 'refused' };

function toAnswer({ outcome, hidden = [] }: { outcome: string; hidden?: string[] }): string {
  return `${OUTCOMES[outcome] ?? outcome}${hidden.length > 0 ? `, without ${hidden.join(', ')}` : ''}`;
}

function toQuestion({ ask: { membership, profile, parameter, interaction, resourceType, id, resource } }: PolicyTest) {
  const who = membership ?? (profile ? `who stands on ${profile}` : 'anybody who has it');
  const values = (parameter ?? []).map((each) => {
    return `${each.name} ${'valueString' in each ? each.valueString : each.valueReference?.reference}`;
  });
  const what = `${interaction} of ${resourceType}${id ? `/${id}` : ''}${resource ? ', as in the test' : ''}`;
  return `${what} by ${who}${values.length > 0 ? ` with ${values.join(', ')}` : ''}`;
}
