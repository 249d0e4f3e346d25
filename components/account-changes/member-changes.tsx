'use client';
import { Card } from '#components/ui/display/card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useCancelMemberChange, useMemberChanges } from '#lib/client/member/changes.ts';
import { WaitingChange } from './waiting-change.tsx';

type MemberChangesProps = { projectId: string; membershipId: string; name: string };

/** What waits to be changed of how a member signs in. The last of its page: nothing moves when it comes. */
export function MemberChanges({ projectId, membershipId, name }: MemberChangesProps) {
  const changes = useMemberChanges(projectId, membershipId);
  const cancel = useCancelMemberChange(projectId, membershipId);
  if (changes.error && !changes.data)
    return (
      <Card>
        <ErrorState error={changes.error} what="what waits" onRetry={() => void changes.refetch()} />
      </Card>
    );
  if (!changes.data || changes.data.length === 0) return null;
  const takeBack = async (id: string) => {
    try {
      await cancel.mutateAsync(id);
      toast({ title: 'It is taken back' });
    } catch (error) {
      toast({ tone: 'danger', title: 'It was not taken back', description: (error as Error).message });
    }
  };
  return (
    <section aria-labelledby="member-changes">
      <Card className="px-5 py-4">
        <h2 id="member-changes" className="font-semibold">
          Changes that wait
        </h2>
        <p className="mt-0.5 text-muted">{name} was told by mail, and can stop them until then.</p>
        <ul aria-label="Changes that wait" className="mt-2 divide-y divide-line">
          {changes.data.map((change) => (
            <WaitingChange key={change.id} change={change} onCancel={() => takeBack(change.id)} />
          ))}
        </ul>
      </Card>
    </section>
  );
}
