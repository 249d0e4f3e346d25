'use client';
import { Badge } from '#components/ui/display/badge.tsx';
import { Time } from '#components/ui/display/time.tsx';
import type { SamlCertificate } from '#lib/protocol/answers/mail-domains.ts';
import { endsSoon, isOver } from './certificate-ends.ts';

/** Until when what signs is good, by the beginning of its fingerprint. */
export function CertificateList({ certificates }: { certificates: SamlCertificate[] }) {
  return (
    <ul aria-label="Certificates of now" className="divide-y divide-line rounded-lg border border-line">
      {certificates.map(({ fingerprint, endsAt }) => (
        <li key={fingerprint} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-[0.8125rem]">
          <code className="min-w-0 flex-1 break-all font-mono text-xs">SHA-256 {fingerprint.slice(0, 23)}…</code>
          <span className="text-muted">
            {isOver(endsAt) ? 'ended' : 'ends'} <Time at={endsAt} />
          </span>
          {isOver(endsAt) ? <Badge tone="danger">Over</Badge> : null}
          {!isOver(endsAt) && endsSoon(endsAt) ? <Badge tone="warn">Ends soon</Badge> : null}
        </li>
      ))}
    </ul>
  );
}
