import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import type { Party } from '#lib/protocol/answers/audit.ts';
import type { AccessAsOf, CouldRead } from '#lib/protocol/audit/access-as-of.ts';

const STATES = {
  present: '',
  deleted: 'The record was deleted at that moment: nobody could read it.',
  absent: 'There was no such record at that moment.',
  unknown: 'What the record was at that moment is kept no longer.',
} as const;

/** Members first, then reads. */
export function AccessResult({ pages }: { pages: readonly AccessAsOf[] }) {
  const [first] = pages;
  if (!first) return null;
  if (first.state !== 'present') return <Card className="p-5">{STATES[first.state]}</Card>;
  const members = pages.flatMap((page) => page.members);
  const looked = pages.reduce((sum, page) => sum + page.looked, 0);
  return (
    <>
      <section aria-labelledby="could">
        <h2 id="could" className="mb-2 font-medium">
          Could see it
        </h2>
        <p role="status" className="mb-2 text-muted text-sm">
          {members.length.toLocaleString('en')} of {looked.toLocaleString('en')} memberships looked at.
        </p>
        <Card>
          <ul className="divide-y divide-line">
            {members.map((member) => (
              <Member key={member.membership} member={member} />
            ))}
            {members.length === 0 ? <li className="p-4 text-muted">Nobody among these.</li> : null}
          </ul>
        </Card>
      </section>
      <Reads reads={first.reads} />
    </>
  );
}

function Member({ member: { membership, profile, admin, access, policies } }: { member: CouldRead }) {
  const by = policies.map(toName).join(', ');
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
      <span className="font-medium [overflow-wrap:anywhere]">{profile.reference ? toName(profile) : membership}</span>
      {admin ? <Badge>Administrator</Badge> : null}
      {access === 'unknown' ? <Badge tone="warn">Not known any more</Badge> : null}
      <span className="text-muted text-sm [overflow-wrap:anywhere]">
        {by ? `by ${by}` : 'by no policy that limits'}
      </span>
    </li>
  );
}

function Reads({ reads }: { reads: AccessAsOf['reads'] }) {
  return (
    <section aria-labelledby="did">
      <h2 id="did" className="mb-2 font-medium">
        Did see it
      </h2>
      <Card>
        {reads === null ? (
          <p className="p-4 text-muted">Reads were not kept then: the setting auditReads was off.</p>
        ) : reads.length === 0 ? (
          <p className="p-4 text-muted">Nobody, in the day before.</p>
        ) : (
          <ul className="divide-y divide-line">
            {reads.map(({ id, at, how, actor }) => (
              <li key={id} className="flex items-center gap-3 px-4 py-3">
                <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                  <span className="font-medium">{toName(actor)}</span>{' '}
                  <span className="text-muted">{how === 'read' ? 'opened it' : 'found it by a search'}</span>
                </span>
                <Time at={at} className="shrink-0 text-muted text-xs tabular-nums" />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  );
}

function toName({ display, reference }: Party): string {
  return display ?? reference ?? 'Somebody';
}
