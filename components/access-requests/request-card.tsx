'use client';
import Link from 'next/link';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import type { AccessRequest } from '#lib/protocol/access-requests/answers.ts';
import { STATES, toName, toWhat } from './facts.ts';

/** One request: who asks for what, and why. */
export function RequestCard({ projectId, request }: { projectId: string; request: AccessRequest }) {
  const { id, state, reason, createdAt, own, isMember, decidedBy } = request;
  return (
    <Card className="flex flex-col gap-1.5 p-5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <Link
          href={`/p/${projectId}/access-requests/${id}`}
          className="min-w-0 max-w-full break-words font-medium underline-offset-3 hover:underline"
        >
          <span dir="auto">{toName(request)}</span> asks to {toWhat(request)}
        </Link>
        <Badge tone={STATES[state].tone} dot>
          {STATES[state].label}
        </Badge>
        {own ? <Badge>You</Badge> : null}
        {isMember ? null : <Badge tone="warn">Not active</Badge>}
      </div>
      {reason ? (
        <p dir="auto" className="break-words text-[0.8125rem]">
          {reason}
        </p>
      ) : null}
      <p className="text-[0.8125rem] text-muted">
        <Time at={createdAt} />
        {decidedBy ? ` · decided by ${decidedBy.display ?? decidedBy.reference}` : ''}
      </p>
    </Card>
  );
}
