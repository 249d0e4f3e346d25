'use client';
import { Eye } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useEffect, useRef, useState } from 'react';
import type { MemberFacts } from '#components/members/facts.ts';
import { Button } from '#components/ui/button.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { rescueFocus } from '#components/ui/overlay/rescue-focus.ts';
import { warm } from '#components/ui/overlay/warm.ts';
import { useMe } from '#lib/client/frame/me.ts';

const load = () => import('./view-as.tsx').then((module) => module.ViewAs);
const ViewAs = dynamic(load, { ssr: false, loading: DialogLoading });

export type ViewAsButtonProps = { projectId: string; membershipId: string; facts: MemberFacts };

/** For administrators of the project, about people who may come in: what the server would refuse is not offered. */
export function ViewAsButton({ projectId, membershipId, facts }: ViewAsButtonProps) {
  const me = useMe();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (open) return () => rescueFocus(button.current);
  }, [open]);
  const isOffered = me.data?.membership.admin && !me.data.project.superAdmin && me.data.membership.id !== membershipId;
  if (!facts.person || !isOffered) return null;
  // Nothing beside it moves when it is known how they stand.
  const isIn = facts.status === 'active' || facts.status === 'unknown';
  return (
    <>
      <Button
        ref={button}
        size="sm"
        {...warm(load)}
        disabled={!isIn}
        aria-label={`View as ${facts.name}`}
        className={isIn ? undefined : 'invisible'}
        onClick={() => setOpen(true)}
      >
        <Eye aria-hidden="true" />
        <span className="max-sm:sr-only">View as</span>
      </Button>
      {open ? (
        <ViewAs projectId={projectId} membershipId={membershipId} name={facts.name} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}
