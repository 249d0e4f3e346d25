'use client';
import type { ReactNode } from 'react';
import { MemberTime } from '#components/members/time.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { shortId } from '#lib/client/api/short-id.ts';
import type { MemberFact } from '#lib/protocol/answers/member-facts.ts';
import type { MemberView } from './head.tsx';

const SCOPES = { project: 'Project only', server: 'Server-wide' };

/** Ids and where the membership comes from. */
export function MemberAside({ member, facts, fact }: MemberView & { fact: MemberFact | undefined }) {
  const { id, user, profile, invitedBy, meta, externalId, userName, identifier = [] } = member;
  return (
    <aside aria-label="Details" className="lg:pt-2">
      <dl className="flex flex-col gap-4 text-[0.8125rem]">
        <Id label="Membership" value={`ProjectMembership/${id}`} />
        <Id label="Profile" value={profile.reference} />
        <Id label="Login" value={user.reference} />
        <Id label="External id" value={externalId} />
        <Id label="User name" value={userName} />
        {identifier.map(({ system, value }) => (
          <Id key={`${system}|${value}`} label={system ?? 'Identifier'} value={value} />
        ))}
        {fact?.scope ? <Detail label="Account">{SCOPES[fact.scope]}</Detail> : null}
        <Detail label="Joined">
          <MemberTime at={facts.joinedAt} none="Unknown" />
        </Detail>
        <Detail label="Last active">
          <MemberTime at={facts.lastActiveAt} none={facts.status === 'unknown' ? 'Unknown' : 'Not yet'} />
        </Detail>
        {invitedBy ? <Detail label="Invited by">{invitedBy.display ?? invitedBy.reference}</Detail> : null}
        {meta?.lastUpdated ? (
          <Detail label="Changed">
            <Time at={meta.lastUpdated} />
          </Detail>
        ) : null}
        <Detail label="Version">{meta?.versionId}</Detail>
      </dl>
    </aside>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="truncate text-muted">{label}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  );
}

/** The short form to read, the whole to copy. */
function Id({ label, value }: { label: string; value: string | undefined }) {
  if (!value) return null;
  const [type, id = ''] = value.split('/');
  const short = id ? `${type}/${shortId(id)}` : value;
  return (
    <div>
      <dt className="truncate text-muted">{label}</dt>
      <dd className="flex items-center gap-1">
        <code className="min-w-0 truncate font-mono text-xs" title={value}>
          {short}
        </code>
        <CopyButton value={value} label={`Copy ${label}`} className="size-7" />
      </dd>
    </div>
  );
}
