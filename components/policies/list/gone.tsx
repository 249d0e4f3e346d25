import { TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { Card } from '#components/ui/display/card.tsx';
import type { GonePolicy } from '#lib/protocol/answers/access-policies.ts';

/** Policies that memberships name and that are not there, with the way to who is locked out by that. */
export function GonePolicies({ projectId, gone }: { projectId: string; gone: readonly GonePolicy[] }) {
  if (gone.length === 0) return null;
  return (
    <Card className="mb-4 flex gap-3 p-4">
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn-text" aria-hidden="true" />
      <div className="min-w-0">
        <h2 className="font-medium">Policies that are gone</h2>
        <p className="text-[0.8125rem] text-muted">
          Who names one of these does not come in, until their access names others.
        </p>
        <ul aria-label="Policies that are gone" className="mt-2 flex flex-col gap-1 text-[0.8125rem]">
          {gone.map(({ reference, members }) => (
            <li key={reference} className="flex flex-wrap items-center gap-x-3">
              <code className="min-w-0 break-all">{reference}</code>
              <Link
                href={`/p/${projectId}/members?policy=${encodeURIComponent(reference.slice('AccessPolicy/'.length))}`}
                className="relative inline-flex min-h-6 items-center text-accent-text underline underline-offset-2"
              >
                {members.toLocaleString('en')} {members === 1 ? 'membership' : 'memberships'}
                <span className="sr-only"> with {reference}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
