'use client';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { toOtherAccount } from '#lib/client/door/authorization.ts';
import type { Authorization } from '#lib/protocol/answers/authorization.ts';
import type { LoginMembership } from '#lib/protocol/answers/login.ts';
import { DoorHeading } from '../door/door-heading.tsx';
import { FormProblemAlert } from '../door/form-problem.tsx';
import { useDecision } from './use-decision.ts';

const SCOPES: Record<string, string> = {
  openid: 'Know who you are',
  profile: 'Read your name',
  email: 'Read your e-mail address',
  phone: 'Read your phone number',
  address: 'Read your postal address',
  fhirUser: 'Know which record is yours',
  'launch/patient': 'Know which patient you are',
  offline: 'Go on while you are away, until you end its session',
  offline_access: 'Go on while you are away, until you end its session',
};

const RECORDS = /^(patient|user|system)\/([^.]*)\.([^?]*)(?:\?(.*))?$/i;

/** A scope for resources in words (SMART App Launch). All of them are within what the person may. */
function toRecords(scope: string): string | undefined {
  const [, context = '', type, access = '', query] = RECORDS.exec(scope) ?? [];
  if (type === undefined) return undefined;
  const sees = access === 'read' || /^[rs]+$/.test(access);
  const does = sees ? 'See' : access === 'write' || !/[rs*]/.test(access) ? 'Add and change' : 'See and change';
  const what = type === '*' ? 'all records' : `records of type ${type}`;
  const whose = context === 'patient' ? 'of the patient that you are' : 'that you may reach';
  return `${does} ${what} ${whose}${query ? `, where ${query}` : ''}`;
}

export function ConsentForm({ query, asked }: { query: string; asked: Authorization }) {
  const { app, memberships } = asked;
  const [chosen, setChosen] = useState(asked.membership ?? memberships[0]?.id);
  const { answer, busy, problem } = useDecision(query);
  const project = memberships.find(({ id }) => id === chosen)?.project.display ?? 'the project';
  const records = asked.scopes.flatMap((scope) => toRecords(scope) ?? []);
  const whole = records.length > 0 ? records : [`See and change what you may in ${project}`];
  const may = [...whole, ...asked.scopes.flatMap((scope) => SCOPES[scope] ?? [])];
  return (
    <>
      <DoorHeading title={<>Let {app.name} in?</>}>
        {app.description ? `${app.description}. ` : ''}It sends you back to{' '}
        <strong className="break-all font-medium text-ink">{asked.sendsTo}</strong>. Go on only if you started there.
      </DoorHeading>
      <FormProblemAlert problem={problem} />
      {memberships.length > 1 ? <Choice memberships={memberships} chosen={chosen} onChoose={setChosen} /> : null}
      <h2 className="font-medium">It will be able to</h2>
      <ul className="mt-3 mb-7 flex flex-col gap-2">
        {[...new Set(may)].map((text) => (
          <li key={text} className="flex items-start gap-2.5">
            <Check className="mt-0.5 size-4 shrink-0 text-accent-text" aria-hidden="true" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
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

function Choice({
  memberships,
  chosen,
  onChoose,
}: {
  memberships: LoginMembership[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}) {
  return (
    <fieldset className="mb-7 flex flex-col gap-2">
      <legend className="mb-2 font-medium">As whom?</legend>
      {memberships.map((membership) => (
        <label
          key={membership.id}
          className="flex items-center gap-3 rounded-xl border border-line bg-surface px-4 py-3 shadow-card"
        >
          <input
            type="radio"
            name="membership"
            className="accent-accent"
            checked={membership.id === chosen}
            onChange={() => onChoose(membership.id)}
          />
          <span className="min-w-0">
            <span className="block truncate font-medium">{membership.profile.display ?? 'Yourself'}</span>
            <span className="block truncate text-[0.8125rem] text-muted">
              {[membership.profile.reference?.split('/')[0], membership.project.display].filter(Boolean).join(' · ')}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
