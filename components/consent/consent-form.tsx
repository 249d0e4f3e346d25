'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { toOtherAccount } from '#lib/client/door/authorization.ts';
import type { Authorization } from '#lib/protocol/answers/authorization.ts';
import { DoorHeading } from '../door/door-heading.tsx';
import { FormProblemAlert } from '../door/form-problem.tsx';
import { AsWhom } from './as-whom.tsx';
import { ScopeList } from './scope-list.tsx';
import { useDecision } from './use-decision.ts';

export function ConsentForm({ query, asked }: { query: string; asked: Authorization }) {
  const { app, memberships } = asked;
  const [chosen, setChosen] = useState(asked.membership ?? memberships[0]?.id);
  const { answer, busy, problem } = useDecision(query);
  const project = memberships.find(({ id }) => id === chosen)?.project.display ?? 'the project';
  return (
    <>
      <DoorHeading title={<>Let {app.name} in?</>}>
        {app.description ? `${app.description}. ` : ''}It sends you back to{' '}
        <strong className="break-all font-medium text-ink">{asked.sendsTo}</strong>. Go on only if you started there.
      </DoorHeading>
      <FormProblemAlert problem={problem} />
      {memberships.length > 1 ? <AsWhom memberships={memberships} chosen={chosen} onChoose={setChosen} /> : null}
      <ScopeList scopes={asked.scopes} project={project} />
      <div className="flex flex-col gap-3">
        <Button
          variant="primary"
          size="lg"
          busy={busy === 'allow'}
          disabled={busy === 'deny'}
          onClick={() => answer('allow', chosen)}
        >
          Let it in
        </Button>
        <Button size="lg" busy={busy === 'deny'} disabled={busy === 'allow'} onClick={() => answer('deny')}>
          No, go back
        </Button>
      </div>
      <p className="mt-6 text-[0.8125rem] text-muted leading-5">
        You are signed in as <span className="break-all">{asked.person}</span>.{' '}
        <a href={toOtherAccount(query)} className="text-accent-text underline underline-offset-3">
          Use another account
        </a>
        .{asked.remembers ? ' You are asked again only when it wants more.' : ''}
      </p>
    </>
  );
}
