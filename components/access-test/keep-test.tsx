'use client';
import { useState } from 'react';
import { Card } from '#components/ui/display/card.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import type { ExplainQuestion } from '#lib/client/access-test/explain.ts';
import { useKeepTest } from '#lib/client/policies/policy-tests.ts';
import type { Explanation } from '#lib/protocol/explain/explanation.ts';

type Props = { projectId: string; reference: string; question: ExplainQuestion; explanation: Explanation };

/** The question and its answer become a test of the policy: from then on each save of it must answer so. */
export function KeepTest({ projectId, reference, question, explanation }: Props) {
  const [name, setName] = useState('');
  const keep = useKeepTest(projectId);
  const { outcome, hidden } = explanation;
  if (question.query !== undefined || outcome === 'rows') return null;
  const { policy: _, query: __, ...ask } = question;
  return (
    <Card className="p-5">
      <Form
        busy={keep.isPending}
        className="flex flex-col gap-3"
        onSubmit={async (event) => {
          event.preventDefault();
          const expect = { outcome, ...(outcome !== 'deny' && { hidden }) };
          const kept = await keep
            .mutateAsync({ reference, test: { name: name.trim(), ask, expect } })
            .catch(() => null);
          if (!kept) return;
          toast({ title: 'The test is kept with the policy' });
          setName('');
        }}
      >
        {keep.error ? <Alert tone="danger">{keep.error.message}</Alert> : null}
        <div className="flex flex-wrap items-end gap-3">
          <Field
            label="Keep as a test"
            description="Each save of the policy must answer this question like this"
            className="min-w-0 flex-1 basis-60"
          >
            <Input value={name} required maxLength={100} autoComplete="off" onValueChange={setName} />
          </Field>
          <SubmitButton busy={keep.isPending}>Keep</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}
