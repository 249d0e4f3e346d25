'use client';
import { toDay } from '#components/ui/display/day.ts';
import { Skeleton } from '#components/ui/feedback/skeleton.tsx';
import type { Member } from '#lib/client/api/types.ts';
import { useMemberFacts } from '#lib/client/members/facts.ts';
import { toGoneAt } from '#lib/protocol/answers/removed.ts';

export type RemovalEffectProps = { projectId: string; member: Member; name: string; self: boolean };

/** What a removal takes, what it leaves, and until when it can be taken back. */
export function RemovalEffect({ projectId, member, name, self }: RemovalEffectProps) {
  const facts = useMemberFacts(projectId, [member.id]);
  const fact = facts.data?.get(member.id);
  const type = member.profile.reference?.split('/')[0] ?? 'profile';
  const day = <strong>{toDay(toGoneAt(new Date().toISOString()))}</strong>;
  return (
    <>
      <p>
        {self ? 'You are' : `${name} is`} signed out at once and can no longer enter this project. The {type} record
        stays, with everything that refers to it.
      </p>
      {!fact && !facts.error ? (
        <Skeleton className="h-10 w-full" />
      ) : fact && !fact.endsAccount ? (
        <p>Until {day} the membership can be brought back as it was. The account stays.</p>
      ) : (
        <p>
          {fact ? 'The account is' : 'If the account is'} of this project only{fact ? ': nobody' : ', nobody'} can sign
          in with it from now on, and on {day} <strong>it is deleted for good</strong>, with its password. Until then it
          comes back with the membership.
        </p>
      )}
      <p>To keep the way back short, deactivate instead.</p>
    </>
  );
}
