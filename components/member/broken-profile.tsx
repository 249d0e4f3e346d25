'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { keys } from '#lib/client/api/query-keys.ts';
import type { Member } from '#lib/client/api/types.ts';
import { repairMember } from '#lib/client/member/change-member.ts';
import { useProfileState } from '#lib/client/member/details.ts';

const LinkProfile = dynamic(() => import('./link-profile.tsx').then((module) => module.LinkProfile), { ssr: false });

export type BrokenProfileProps = { projectId: string; member: Member; name: string };

/** Shows only when the record behind a membership is gone: it comes back as it was, or another one takes its place. */
export function BrokenProfile({ projectId, member, name }: BrokenProfileProps) {
  const profile = useProfileState(projectId, member.id, member.profile.reference);
  const [linking, setLinking] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const queries = useQueryClient();
  const settle = async (said: string) => {
    await queries.invalidateQueries({ queryKey: keys.project(projectId) });
    toast({ title: said });
  };
  const repair = useMutation({
    mutationFn: () => repairMember(projectId, member.id),
    onSuccess: () => settle('The profile is back'),
    onError: async (error) => {
      if (!(error instanceof ApiError && error.status === 409)) return;
      // Refused because somebody was faster: the banner goes. Refused because history holds nothing: linking is the way.
      const { data } = await profile.refetch();
      setLinking(data === 'missing');
    },
  });
  const close = () => {
    setLinking(false);
    opener.current?.focus();
  };
  if (profile.data !== 'missing') return null;
  return (
    <section aria-label="Broken profile" aria-busy={repair.isPending || undefined} className="mb-6 flex flex-col gap-3">
      <Alert tone="danger" title={`The profile of ${name} is gone`}>
        <p>
          {member.profile.reference} no longer exists: {name} can sign in, but applications find no record to work with.
          Repair brings it back as it last was; linking another profile puts that one in its place.
        </p>
        {repair.error ? <p className="mt-2 font-medium">{toReason(repair.error)}</p> : null}
        <div className="mt-3 flex flex-wrap gap-2">
          <Button size="sm" busy={repair.isPending} onClick={() => repair.mutate()}>
            Repair the profile
          </Button>
          <Button ref={opener} size="sm" aria-expanded={linking} onClick={() => setLinking(!linking)}>
            Link another profile
          </Button>
        </div>
      </Alert>
      {linking ? (
        <LinkProfile
          projectId={projectId}
          member={member}
          name={name}
          onLinked={(linked) => settle(`Linked to ${linked}`)}
          onClose={close}
        />
      ) : null}
    </section>
  );
}

function toReason(error: Error): string {
  const refused = error instanceof ApiError && error.status === 409;
  return refused ? 'No earlier version is left to bring back. Link another profile instead.' : error.message;
}
