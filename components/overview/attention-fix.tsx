'use client';
import Link from 'next/link';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useMend } from '#lib/client/overview/overview.ts';
import type { Finding } from '#lib/protocol/answers/overview.ts';

/** The one press that mends a finding, or leads to where it is mended. */
export function AttentionFix({ projectId, finding }: { projectId: string; finding: Finding }) {
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
        busy={mend.isPending}
        aria-label={`${isRepair ? 'Repair' : 'Send again'}: ${who}`}
        onClick={act}
      >
        {isRepair ? 'Repair' : 'Send again'}
      </Button>
    );
  }
  const { label, path } = toPlace(finding);
  return (
    <Link href={`/p/${projectId}${path}`} aria-label={`${label}: ${who}`} className={buttonClass({ size: 'sm' })}>
      {label}
    </Link>
  );
}

function toPlace({ fix, target }: Finding): { label: string; path: string } {
  const [type, id] = target.split('/');
  if (fix === 'answer') return { label: 'Answer', path: `/access-requests/${id}` };
  if (fix === 'review') return { label: 'Review', path: `/break-glass/${id}` };
  if (fix === 'edit-glass') return { label: 'Choose another', path: '/settings#emergency-access' };
  if (fix === 'open-bot') return { label: 'See its runs', path: `/bots/${id}` };
  if (fix === 'edit-defaults') return { label: 'Choose another', path: '/settings#default-access' };
  if (fix === 'invite-admin' || type !== 'ProjectMembership')
    return { label: 'Invite another', path: '/members?invite=one' };
  return { label: fix === 'edit-access' ? 'Edit access' : 'Open', path: `/members/${id}` };
}
