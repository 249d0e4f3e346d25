'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { tellLength } from '#lib/client/door/access-length.ts';
import { toOtherAccount } from '#lib/client/door/authorization.ts';
import type { Authorization } from '#lib/protocol/answers/authorization.ts';
import { DoorHeading } from '../door/door-heading.tsx';
import { FormProblemAlert } from '../door/form-problem.tsx';
import { PatientStep } from '../patients/patient-step.tsx';
import { AsWhom } from './as-whom.tsx';
import { ScopeList, type Whose } from './scope-list.tsx';
import { useDecision } from './use-decision.ts';

export function ConsentForm({ query, asked }: { query: string; asked: Authorization }) {
  const { app, memberships } = asked;
  const [chosen, setChosen] = useState(asked.membership ?? memberships[0]?.id);
  const [isSaid, setIsSaid] = useState(asked.agreed === true);
  const decision = useDecision(query);
  const { answer, busy, problem } = decision;
  const membership = memberships.find(({ id }) => id === chosen);
  const isPatient = membership?.profile.reference?.startsWith('Patient/') === true;
  const choosesPatient = asked.choosesPatient === true && !isPatient;
  if (isSaid && choosesPatient) {
    const onBack = asked.agreed ? undefined : () => setIsSaid(false);
    return <PatientStep query={query} asked={asked} membership={chosen} decision={decision} onBack={onBack} />;
  }
  const whose: Whose = asked.openedAbout ? 'opened' : choosesPatient ? 'chosen' : 'own';
  return (
    <>
      <DoorHeading title={<>Let {app.name} in?</>}>
        {app.description ? `${app.description}. ` : ''}It sends you back to{' '}
        <strong className="break-all font-medium text-ink">{asked.sendsTo}</strong>. Go on only if you started there.
      </DoorHeading>
      <FormProblemAlert problem={problem} />
      {asked.openedAbout ? (
        <p className="mb-5">
          It was opened about <strong className="font-medium">{asked.openedAbout}</strong>.
        </p>
      ) : null}
      {memberships.length > 1 ? <AsWhom memberships={memberships} chosen={chosen} onChoose={setChosen} /> : null}
      <ScopeList scopes={asked.scopes} project={membership?.project.display ?? 'the project'} whose={whose} />
      <p className="-mt-3 mb-7 text-muted">{tellLength(asked.lasts)}</p>
      <div className="flex flex-col gap-3">
        <Button
          variant="primary"
          size="lg"
          busy={busy === 'allow'}
          disabled={busy === 'deny'}
          onClick={() => (choosesPatient ? setIsSaid(true) : answer('allow', chosen))}
        >
          {choosesPatient ? 'Yes, choose the patient' : 'Let it in'}
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
