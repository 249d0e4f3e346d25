'use client';
import { Button } from '#components/ui/button.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import type { MailDomainRow } from '#lib/protocol/answers/mail-domains.ts';
import { isOver, lastEndOf } from './certificate-ends.ts';

/** What opens a dialog. */
export type DomainAsk = 'record' | 'provider' | 'people' | 'remove';

const OF_VERIFIED: [what: DomainAsk, label: string][] = [
  ['provider', 'Provider'],
  ['people', 'People'],
];

export function DomainRow({ row, onAsk }: { row: MailDomainRow; onAsk: (what: DomainAsk) => void }) {
  const { domain, verifiedAt } = row;
  const actions: [what: DomainAsk, label: string][] = [
    ['record', verifiedAt ? 'Record' : 'Verify'],
    ...(verifiedAt ? OF_VERIFIED : []),
    ['remove', 'Remove'],
  ];
  return (
    <ListRow about={domain} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 pr-2 pl-4">
      <div className="min-w-0 flex-1 basis-56">
        <p className="break-all font-medium">{domain}</p>
        <p className="text-[0.8125rem] text-muted">
          <Standing row={row} />
        </p>
      </div>
      <div className="flex flex-wrap">
        {actions.map(([what, label]) => (
          <Button key={what} size="sm" variant="ghost" aria-label={`${label}: ${domain}`} onClick={() => onAsk(what)}>
            {label}
          </Button>
        ))}
      </div>
    </ListRow>
  );
}

function Standing({ row }: { row: MailDomainRow }) {
  const { verifiedAt, missingSince, identityProvider, samlProvider, enforced, joins } = row;
  const address = samlProvider?.ssoUrl ?? identityProvider?.authorizeUrl;
  const end = samlProvider ? lastEndOf(samlProvider.certificates) : undefined;
  if (!verifiedAt) return <>Not verified: its record is not seen yet</>;
  if (missingSince)
    return (
      <>
        Its record is missing since <Time at={missingSince} />: after a week it is yours no longer
      </>
    );
  return (
    <>
      Verified <Time at={verifiedAt} /> ·{' '}
      {address ? `signs in at ${URL.parse(address)?.host ?? 'its provider'}` : 'no identity provider'}
      {samlProvider ? ' (SAML)' : null}
      {enforced ? ', and nowhere else' : null}
      {joins ? ` · new people join as ${joins.profileType}` : null}
      {end ? (
        <span className="block text-warn-text">
          Its certificate {isOver(end) ? 'ended' : 'ends'} <Time at={end} />: add the one that comes after it
        </span>
      ) : null}
    </>
  );
}
