'use client';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { cn } from '#components/ui/cn.ts';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useMend } from '#lib/client/overview/overview.ts';
import type { Finding, Overview } from '#lib/protocol/answers/overview.ts';
import { Panel } from './panel.tsx';

const SHOWN = 8;

/** What is not as it should be, each with the one press that mends it or leads to where it is mended. */
export function Attention({ projectId, overview }: { projectId: string; overview: Overview }) {
  const { findings, findingCounts } = overview;
  const total = Object.values(findingCounts).reduce((sum, count) => sum + count, 0);
  const shown = findings.slice(0, SHOWN);
  return (
    <Panel id="attention" title="Needs attention">
      {shown.length === 0 ? (
        <EmptyState icon={<CircleCheck />} title="All is well" className="py-10">
          Everyone has the access they were given, and every invitation is on its way.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
          {shown.map((finding) => (
            <ListRow
              key={`${finding.kind} ${finding.target}`}
              about={finding.target}
              className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5"
            >
              <TriangleAlert className="size-4 shrink-0 text-warn-text" aria-hidden="true" />
              <p className="min-w-0 flex-1 basis-52">{finding.text}</p>
              <Fix projectId={projectId} finding={finding} />
            </ListRow>
          ))}
        </ul>
      )}
      {total > shown.length ? (
        <p className="border-line border-t px-4 py-2.5 text-[0.8125rem] text-muted">
          And {(total - shown.length).toLocaleString('en')} more, which show up as these are mended.
        </p>
      ) : null}
    </Panel>
  );
}

function Fix({ projectId, finding }: { projectId: string; finding: Finding }) {
  const mend = useMend(projectId);
  const who = finding.display ?? 'this member';
  if (finding.fix === 'resend' || finding.fix === 'repair') {
    const isRepair = finding.fix === 'repair';
    const act = () =>
      mend.mutate(finding, {
        onSuccess: () => toast({ title: isRepair ? 'The profile is back' : 'A new invitation is on its way' }),
        onError: sayFailure,
      });
    return (
      <Button
        size="sm"
        className="max-sm:ml-7"
        busy={mend.isPending}
        aria-label={`${isRepair ? 'Repair' : 'Send again'}: ${who}`}
        onClick={act}
      >
        {isRepair ? 'Repair' : 'Send again'}
      </Button>
    );
  }
  const [type, id] = finding.target.split('/');
  const members = `/p/${projectId}/members`;
  const href =
    finding.fix === 'invite-admin' || type !== 'ProjectMembership' ? `${members}?invite=one` : `${members}/${id}`;
  const label =
    finding.fix === 'invite-admin' ? 'Invite another' : finding.fix === 'edit-access' ? 'Edit access' : 'Open';
  return (
    <Link href={href} aria-label={`${label}: ${who}`} className={cn(buttonClass({ size: 'sm' }), 'max-sm:ml-7')}>
      {label}
    </Link>
  );
}
