import Link from 'next/link';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import type { Party } from '#lib/protocol/answers/audit.ts';
import type { DidRead } from '#lib/protocol/audit/access-as-of.ts';
import type { Sees, ToldRule, WhoCanRead } from '#lib/protocol/policies/answers.ts';

const STATES = {
  present: '',
  deleted: 'The record was deleted at that moment: nobody could read it.',
  unknown: 'What the record was at that moment is kept no longer.',
} as const;

type Props = {
  projectId: string;
  pages: readonly WhoCanRead[];
  /** It was asked as of a moment. */
  isThen: boolean;
  reads: { data: DidRead[] | null | undefined; error: Error | null; refetch: () => unknown };
};

/** Members first, then reads. */
export function AccessResult({ projectId, pages, isThen, reads }: Props) {
  const [first] = pages;
  if (!first) return null;
  if (first.state !== 'present') {
    const now = first.state === 'deleted' && !isThen ? 'The record is deleted: nobody can read it.' : undefined;
    return <Card className="p-5">{now ?? STATES[first.state]}</Card>;
  }
  const members = pages.flatMap((page) => page.members);
  const looked = pages.reduce((sum, page) => sum + page.looked, 0);
  const broken = pages.reduce((sum, page) => sum + page.broken, 0);
  return (
    <>
      <section aria-labelledby="could">
        <h2 id="could" className="mb-2 font-medium">
          {isThen ? 'Could see it' : 'Can see it'}
        </h2>
        <p role="status" className="mb-2 text-muted text-sm">
          {members.length.toLocaleString('en')} of {looked.toLocaleString('en')} memberships looked at.
          {broken > 0 ? ` By ${broken.toLocaleString('en')} nobody comes in: their access is broken.` : ''}
        </p>
        <Card>
          <ul className="divide-y divide-line">
            {members.map((member) => (
              <Member key={member.membership} projectId={projectId} member={member} />
            ))}
            {members.length === 0 ? <li className="p-4 text-muted">Nobody among these.</li> : null}
          </ul>
        </Card>
      </section>
      {isThen ? <Reads {...reads} /> : null}
    </>
  );
}

const KINDS = { person: '', bot: 'Bot', client: 'Client' } as const;

function Member({ projectId, member }: { projectId: string; member: Sees }) {
  const { membership, kind, profile, admin, access, rule, hidden, isPlaced } = member;
  const name = profile.reference ? toName(profile) : membership;
  const id = membership.slice('ProjectMembership/'.length);
  return (
    <li className="flex flex-col gap-1 px-4 py-3">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {kind === 'person' ? (
          <Link
            href={`/p/${projectId}/members/${id}`}
            className="font-medium underline decoration-line underline-offset-3 [overflow-wrap:anywhere] hover:decoration-current"
          >
            {name}
          </Link>
        ) : (
          <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
        )}
        {KINDS[kind] ? <Badge>{KINDS[kind]}</Badge> : null}
        {admin ? <Badge>Administrator</Badge> : null}
        {access === 'unknown' ? <Badge tone="warn">Not known any more</Badge> : null}
        {isPlaced ? <Badge>From some addresses only</Badge> : null}
      </span>
      {rule ? <p className="text-muted text-sm [overflow-wrap:anywhere]">{toSentence(rule)}</p> : null}
      {hidden.length > 0 ? (
        <p className="text-muted text-sm [overflow-wrap:anywhere]">Does not see {hidden.join(', ')}.</p>
      ) : null}
    </li>
  );
}

function toSentence({ by, policy, index, text }: ToldRule): string {
  if (by === 'none') return 'No policy limits them.';
  if (by === 'role') return `Anyway, they may ${text}.`;
  return `Rule ${(index ?? 0) + 1} of ${policy ? toName(policy) : 'a policy'}: may ${text}.`;
}

function Reads({ data: reads, error, refetch }: Props['reads']) {
  return (
    <section aria-labelledby="did">
      <h2 id="did" className="mb-2 font-medium">
        Did see it
      </h2>
      <Card>
        {error ? (
          <ErrorState error={error} what="who did see it" onRetry={() => void refetch()} />
        ) : reads === undefined ? (
          <SkeletonRegion label="Looking who did see it" className="p-4">
            <Skeleton className="w-1/2" />
          </SkeletonRegion>
        ) : reads === null ? (
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
