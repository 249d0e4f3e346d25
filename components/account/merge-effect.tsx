import { Badge } from '#components/ui/display/badge.tsx';
import type { Merge, MergedMembership } from '#lib/protocol/account-merge/answers.ts';

/** What comes over, and what ends. */
export function MergeEffect({ merge: { from, into, memberships, ends } }: { merge: Merge }) {
  return (
    <div className="flex flex-col gap-4 [overflow-wrap:anywhere]">
      <section aria-labelledby="merge-comes">
        <h3 id="merge-comes" className="font-medium">
          From now on entered with {into}
        </h3>
        {memberships.length === 0 ? (
          <p className="mt-1 text-muted">That account is a member of no project.</p>
        ) : (
          <ul className="mt-2 max-h-60 divide-y divide-line overflow-y-auto border-line border-y">
            {memberships.map((membership) => (
              <Coming key={membership.id} membership={membership} />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="merge-ends">
        <h3 id="merge-ends" className="font-medium">
          What ends
        </h3>
        <ul className="mt-1 list-disc pl-5 text-muted">
          <li>The account {from}, with its password; its address is free again.</li>
          {toLines(ends).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
      <p className="text-muted">What was done with it stays told as it was. Both addresses hear of it by mail.</p>
    </div>
  );
}

function Coming({ membership: { project, profile, admin, owner, beside } }: { membership: MergedMembership }) {
  return (
    <li className="py-2">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{project.display ?? 'A project'}</span>
        {owner ? <Badge>Owner</Badge> : admin ? <Badge>Administrator</Badge> : null}
      </p>
      <p className="text-[0.8125rem] text-muted">
        As {profile.display ?? profile.reference}
        {beside ? '. You are a member there already: you choose between both' : ''}
      </p>
    </li>
  );
}

function toLines({ sessions, passkeys, factors, keys, consents }: Merge['ends']): string[] {
  const counted: [number, string, string][] = [
    [sessions, 'session', 'sessions'],
    [passkeys, 'passkey', 'passkeys'],
    [factors, 'way of two-step sign-in', 'ways of two-step sign-in'],
    [keys, 'API key', 'API keys'],
    [consents, 'app that it let in', 'apps that it let in'],
  ];
  return counted.flatMap(([n, one, many]) => (n === 0 ? [] : [`${n} ${n === 1 ? one : many}`]));
}
