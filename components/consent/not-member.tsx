'use client';
import { UserRoundX } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { toOtherAccount } from '#lib/client/door/authorization.ts';
import type { Authorization } from '#lib/protocol/answers/authorization.ts';
import { DoorHeading } from '../door/door-heading.tsx';
import { DoorIcon } from '../door/door-icon.tsx';
import { FormProblemAlert } from '../door/form-problem.tsx';
import { useDecision } from './use-decision.ts';

export function NotMember({ query, asked }: { query: string; asked: Authorization }) {
  const { answer, busy, problem } = useDecision(query);
  return (
    <>
      <DoorIcon icon={UserRoundX} />
      <DoorHeading title="This account is not known there">
        {asked.app.name} belongs to a project that {asked.person} is not an active member of. An administrator of the
        project can invite you.
      </DoorHeading>
      <FormProblemAlert problem={problem} />
      <div className="flex flex-col gap-3">
        <a href={toOtherAccount(query)} className={buttonClass({ variant: 'primary', size: 'lg' })}>
          Use another account
        </a>
        <Button size="lg" busy={busy === 'deny'} onClick={() => answer('deny')}>
          Go back to the app
        </Button>
      </div>
    </>
  );
}
