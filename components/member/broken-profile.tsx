'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Alert } from '#components/ui/alert.tsx';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/toast.tsx';
import { repairMember } from '#lib/client/member.ts';
import { useProfileState } from '#lib/client/member-details.ts';
import { keys } from '#lib/client/query-keys.ts';
import type { ProjectMembership } from '#lib/client/types.ts';

/** Shows only when the record behind a membership is gone: such a person cannot sign in until it is back. */
export function BrokenProfile({ projectId, member }: { projectId: string; member: ProjectMembership }) {
  const profile = useProfileState(projectId, member.id, member.profile.reference);
  const queries = useQueryClient();
  const repair = useMutation({
    mutationFn: () => repairMember(projectId, member.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keys.members(projectId) });
      toast({ title: 'The profile is back' });
    },
  });
  if (profile.data !== 'missing') return null;
  return (
    <Alert tone="danger" title="The profile of this member is gone" className="mb-6">
      <p>
        {member.profile.reference} was deleted, so this person cannot sign in. Repair brings it back as it last was.
      </p>
      {repair.error ? <p className="mt-2 font-medium">{repair.error.message}</p> : null}
      <Button size="sm" className="mt-3" busy={repair.isPending} onClick={() => repair.mutate()}>
        Repair the profile
      </Button>
    </Alert>
  );
}
