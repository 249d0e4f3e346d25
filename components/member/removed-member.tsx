'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { setBreadcrumbLeaf } from '#components/frame/breadcrumb.tsx';
import { Button } from '#components/ui/button.tsx';
import { toDay } from '#components/ui/display/day.ts';
import { Time } from '#components/ui/display/time.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { keys } from '#lib/client/api/query-keys.ts';
import { undoMember } from '#lib/client/member/change-member.ts';
import { useMemberHistory } from '#lib/client/member/history.ts';
import { toGoneAt } from '#lib/protocol/answers/removed.ts';
import { HistoryTab } from './history-tab.tsx';

export type RemovedMemberProps = { projectId: string; membershipId: string; policyNames: Map<string, string> };

/** The page of a membership that was removed: since when, what it was, and the way back. */
export function RemovedMember({ projectId, membershipId, policyNames }: RemovedMemberProps) {
  const history = useMemberHistory(projectId, membershipId);
  const queries = useQueryClient();
  const last = history.data?.find(({ member }) => member);
  const bringBack = useMutation({
    mutationFn: (version: number) => undoMember(projectId, membershipId, version),
    onSuccess: async () => {
      toast({ title: 'The member is back' });
      await queries.invalidateQueries({ queryKey: keys.project(projectId) });
    },
  });
  const [openedAt] = useState(Date.now);
  const name = last?.member?.profile.display ?? last?.member?.user.display;
  useEffect(() => {
    setBreadcrumbLeaf(name);
    return () => setBreadcrumbLeaf(undefined);
  }, [name]);
  const [newest] = history.data ?? [];
  const goneAt = newest && toGoneAt(newest.at);
  const isOver = goneAt !== undefined && Date.parse(goneAt) < openedAt;
  return (
    <>
      <h1 className="mb-4 break-words font-semibold text-[1.375rem] leading-7 tracking-[-0.02em]">
        {name ?? 'Removed member'}
      </h1>
      <div aria-busy={bringBack.isPending || undefined}>
        <Alert tone="warn" title="No longer a member of this project" className="mb-6">
          <p>
            {newest ? (
              <>
                Removed <Time at={newest.at} />.{' '}
              </>
            ) : null}
            The profile record stays.{' '}
            {goneAt && isOver
              ? `This membership could be brought back until ${toDay(goneAt)}. Invite the person again.`
              : goneAt
                ? `Until ${toDay(goneAt)} the membership can come back as it was, with the same role and policies; its sessions and links stay ended. An account that was of this project only cannot be signed in with meanwhile; it comes back, too, or is deleted for good on that day.`
                : null}
          </p>
          {bringBack.error ? <p className="mt-2 font-medium">{bringBack.error.message}</p> : null}
          {last && goneAt && !isOver ? (
            <Button size="sm" className="mt-3" busy={bringBack.isPending} onClick={() => bringBack.mutate(last.number)}>
              Bring back
            </Button>
          ) : null}
        </Alert>
      </div>
      <h2 className="mb-4 font-semibold">History</h2>
      <HistoryTab projectId={projectId} membershipId={membershipId} policyNames={policyNames} />
    </>
  );
}
