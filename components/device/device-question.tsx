'use client';
import { UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { applyApiError, type FormProblem } from '#lib/client/api/form-errors.ts';
import { tellLength } from '#lib/client/door/access-length.ts';
import { answerDevice, toDeviceSignIn } from '#lib/client/door/device.ts';
import type { DeviceQuestion as Question } from '#lib/protocol/answers/authorization.ts';
import { AsWhom } from '../consent/as-whom.tsx';
import { ScopeList } from '../consent/scope-list.tsx';
import { DoorHeading } from '../door/door-heading.tsx';
import { DoorIcon } from '../door/door-icon.tsx';
import { FormProblemAlert } from '../door/form-problem.tsx';

type Props = { userCode: string; asked: Question; onAnswered: (isIn: boolean) => void };
type Decision = 'allow' | 'deny';

export function DeviceQuestion({ userCode, asked, onAnswered }: Props) {
  const { app, memberships } = asked;
  const [chosen, setChosen] = useState(asked.membership ?? memberships[0]?.id);
  const [busy, setBusy] = useState<Decision>();
  const [problem, setProblem] = useState<FormProblem>();
  async function answer(decision: Decision) {
    setBusy(decision);
    setProblem(undefined);
    try {
      await answerDevice({ userCode, decision, membership: decision === 'allow' ? chosen : undefined });
      onAnswered(decision === 'allow');
    } catch (error) {
      setProblem(applyApiError(error, [], () => undefined));
      setBusy(undefined);
    }
  }
  const deny = (
    <Button size="lg" busy={busy === 'deny'} disabled={busy === 'allow'} onClick={() => void answer('deny')}>
      No, keep it out
    </Button>
  );
  if (memberships.length === 0)
    return (
      <>
        <DoorIcon icon={UserRoundX} />
        <DoorHeading title="This account is not known there">
          {app.name} belongs to a project that {asked.person} is not an active member of. An administrator of the
          project can invite you.
        </DoorHeading>
        <FormProblemAlert problem={problem} />
        <div className="flex flex-col gap-3">
          <a href={toDeviceSignIn(userCode)} className={buttonClass({ variant: 'primary', size: 'lg' })}>
            Use another account
          </a>
          {deny}
        </div>
      </>
    );
  return (
    <>
      <DoorHeading title={<>Let {app.name} in on your device?</>}>
        {app.description ? `${app.description}. ` : ''}Go on only if the device is in front of you and you have started
        this there yourself: whoever has it will act as you.
      </DoorHeading>
      <FormProblemAlert problem={problem} />
      {memberships.length > 1 ? <AsWhom memberships={memberships} chosen={chosen} onChoose={setChosen} /> : null}
      <ScopeList
        scopes={asked.scopes}
        project={memberships.find(({ id }) => id === chosen)?.project.display ?? 'the project'}
      />
      <p className="-mt-3 mb-7 text-muted">{tellLength(asked.lasts)}</p>
      <div className="flex flex-col gap-3">
        <Button
          variant="primary"
          size="lg"
          busy={busy === 'allow'}
          disabled={busy === 'deny'}
          onClick={() => void answer('allow')}
        >
          Let it in
        </Button>
        {deny}
      </div>
      <p className="mt-6 text-[0.8125rem] text-muted leading-5">
        You are signed in as <span className="break-all">{asked.person}</span>.{' '}
        <a href={toDeviceSignIn(userCode)} className="text-accent-text underline underline-offset-3">
          Use another account
        </a>
        .
      </p>
    </>
  );
}
