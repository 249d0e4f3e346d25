import { Check } from 'lucide-react';

/** Whom an app means by “the patient”: the person themselves, whom they choose, or about whom another system has opened it. */
export type Whose = 'own' | 'chosen' | 'opened';

const PATIENT: Record<Whose, string> = {
  own: 'the patient that you are',
  chosen: 'the patient that you choose',
  opened: 'the patient that it was opened about',
};

const SCOPES: Record<string, string> = {
  openid: 'Know who you are',
  profile: 'Read your name',
  email: 'Read your e-mail address',
  phone: 'Read your phone number',
  address: 'Read your postal address',
  fhirUser: 'Know which record is yours',
  offline: 'Go on while you are away, until you end its session',
  offline_access: 'Go on while you are away, until you end its session',
};

const RECORDS = /^(patient|user|system)\/([^.]*)\.([^?]*)(?:\?(.*))?$/i;

/** A scope for resources in words (SMART App Launch). All of them are within what the person may. */
function toRecords(scope: string, whose: Whose): string | undefined {
  const [, context = '', type, access = '', query] = RECORDS.exec(scope) ?? [];
  if (type === undefined) return undefined;
  const sees = access === 'read' || /^[rs]+$/.test(access);
  const does = sees ? 'See' : access === 'write' || !/[rs*]/.test(access) ? 'Add and change' : 'See and change';
  const what = type === '*' ? 'all records' : `records of type ${type}`;
  const reach = context === 'patient' ? `of ${PATIENT[whose]}` : 'that you may reach';
  return `${does} ${what} ${reach}${query ? `, where ${query}` : ''}`;
}

function toWords(scope: string, whose: Whose): string | undefined {
  if (scope !== 'launch' && scope !== 'launch/patient') return SCOPES[scope];
  return `Know ${PATIENT[whose].replace('the patient that', 'which patient')}`;
}

type Props = { scopes: string[]; project: string; whose?: Whose };

/** What an app will be able to do, in words. `project`: where, if it may all that the person may. */
export function ScopeList({ scopes, project, whose = 'own' }: Props) {
  const records = scopes.flatMap((scope) => toRecords(scope, whose) ?? []);
  const whole = records.length > 0 ? records : [`See and change what you may in ${project}`];
  const may = [...whole, ...scopes.flatMap((scope) => toWords(scope, whose) ?? [])];
  return (
    <>
      <h2 className="font-medium">It will be able to</h2>
      <ul className="mt-3 mb-7 flex flex-col gap-2">
        {[...new Set(may)].map((text) => (
          <li key={text} className="flex items-start gap-2.5">
            <Check className="mt-0.5 size-4 shrink-0 text-accent-text" aria-hidden="true" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
