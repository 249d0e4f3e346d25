'use client';
import { parseAsString, useQueryState } from 'nuqs';
import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { useDecision } from '#lib/client/access-test/explain.ts';
import type { Decision } from '#lib/protocol/explain/explanation.ts';
import { Rules } from './rules.tsx';

/** A refusal of the last seven days, by the id that somebody was told with it. */
export function DecisionCard({ projectId }: { projectId: string }) {
  const [id, setId] = useQueryState('decision', parseAsString.withDefault(''));
  const [text, setText] = useState(id);
  const decision = useDecision(projectId, id);
  useEffect(() => setText(id), [id]);

  function submit(event: FormEvent) {
    event.preventDefault();
    void setId(text.trim() || null);
  }

  return (
    <section aria-label="A refusal" className="flex flex-col gap-4">
      <Card className="p-5">
        <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
          <Field
            label="Decision id"
            description="A refusal carries one for seven days: X-Gatehouse-Decision"
            className="min-w-0 flex-1 basis-60"
          >
            <Input
              value={text}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setText(event.target.value)}
            />
          </Field>
          <Button type="submit" busy={decision.isFetching}>
            Open
          </Button>
        </form>
      </Card>
      {decision.error ? (
        <Card>
          <ErrorState error={decision.error} what="this decision" onRetry={() => void decision.refetch()} />
        </Card>
      ) : decision.data ? (
        <Told decision={decision.data} />
      ) : null}
    </section>
  );
}

function Told({ decision }: { decision: Decision }) {
  const { member, caller, interaction, resourceType, resourceId, text, because, at, rules, more } = decision;
  const name = ({ display, reference }: Decision['member']) => display ?? reference ?? 'Somebody';
  return (
    <>
      <Card className="flex flex-col gap-2 p-5 text-sm">
        <p className="[overflow-wrap:anywhere]">
          <span className="font-medium">{name(member)}</span> was refused {interaction} of {resourceType}
          {resourceId ? `/${resourceId}` : ''}
          {caller ? `, in their place ${name(caller)}` : ''}. <Time at={at} className="text-muted" />
        </p>
        <p>{because}.</p>
        <p className="text-muted">They were told: {text}</p>
      </Card>
      {rules ? <Rules rules={rules} deciding={null} more={more} /> : null}
    </>
  );
}
