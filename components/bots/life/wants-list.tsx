import { Badge } from '#components/ui/display/badge.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { keyOf, type Refused, type Want, type WantsChange } from '#lib/protocol/bots/wants/wants.ts';

const BECAUSE: Record<Refused['because'], string> = {
  policy: 'its access policy does not allow it',
  host: 'the host is not on its list',
  secret: 'no secret of this name is set',
};

/** What code newly wants, what it wants no more, and what of it would be refused today. */
export function WantsList({ wants: { added, removed, refused, unclear } }: { wants: WantsChange }) {
  const because = new Map(refused.map((want) => [keyOf(want), want.because]));
  const known = new Set(added.map(keyOf));
  const rows = [
    ...added.map((want) => ({ want, sign: 'New' as const })),
    ...refused.filter((want) => !known.has(keyOf(want))).map((want) => ({ want, sign: 'As before' as const })),
    ...removed.map((want) => ({ want, sign: 'No more' as const })),
  ];
  return (
    <>
      {rows.length === 0 ? (
        <p className="text-muted">Nothing that the live version does not.</p>
      ) : (
        <ul aria-label="What it wants" className="divide-y divide-line rounded-lg border border-line">
          {rows.map(({ want, sign }) => {
            const why = sign === 'No more' ? undefined : because.get(keyOf(want));
            return (
              <li key={`${sign} ${keyOf(want)}`} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
                <Badge tone={sign === 'New' ? 'accent' : 'neutral'}>{sign}</Badge>
                <span className="min-w-0 flex-1">{toWords(want)}</span>
                {why ? <Badge tone="warn">{`Not allowed today: ${BECAUSE[why]}`}</Badge> : null}
              </li>
            );
          })}
        </ul>
      )}
      {unclear.length > 0 ? (
        <Alert tone="info" className="mt-2">
          The code does not say before it runs what these ask for:{' '}
          {unclear.map(({ call, line }) => `${call} (line ${line})`).join(', ')}.
        </Alert>
      ) : null}
      <p className="mt-2 text-muted text-xs">
        Read from the source, not enforced by it: policies and lists of hosts are.
      </p>
    </>
  );
}

function toWords(want: Want): string {
  if (want.kind === 'resource') return `${VERBS[want.interaction]} ${want.type}`;
  if (want.kind === 'host') return `Call ${want.name}`;
  if (want.kind === 'secret') return `Read the secret ${want.name}`;
  return CALLS[want.name] ?? `Call ${want.name}`;
}

const VERBS = {
  read: 'Read',
  vread: 'Read versions of',
  search: 'Search',
  create: 'Create',
  update: 'Update',
  delete: 'Delete',
  history: 'Read the history of',
};

const CALLS: Record<string, string> = {
  sendEmail: 'Send mail',
  executeBot: 'Run other bots',
  getAccessToken: 'Have a token of its own',
  invite: 'Invite people',
};
