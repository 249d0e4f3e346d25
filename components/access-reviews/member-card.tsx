'use client';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { usePolicyRequired } from '#lib/client/frame/policy-required.ts';
import type { ReviewRow } from '#lib/protocol/access-reviews/answers.ts';
import type { Decision } from '#lib/protocol/access-reviews/requests.ts';
import { DECISIONS, OUTCOMES, toEntries, toName } from './facts.ts';

export type MemberCardProps = {
  row: ReviewRow;
  policyNames: ReadonlyMap<string, string>;
  mayDecide: boolean;
  busy: boolean;
  onDecide: (decision: Decision) => Promise<void>;
  onReduce: () => void;
};

/** A member of the review: what they have now, what was decided, and what came of it. */
export function MemberCard({ row, policyNames, mayDecide, busy, onDecide, onReduce }: MemberCardProps) {
  const { membership, who, own, now, decision, wanted, note, decidedBy, outcome, message } = row;
  const name = toName(row);
  const has = now ? toEntries(now, policyNames) : [];
  const none = usePolicyRequired() ? 'No access: no policy' : 'Full access: no policy';
  const version = now ? { version: now.version } : {};
  const canReduce = now !== null && (has.length > 0 || !now.admin);
  return (
    <Card className="flex flex-wrap items-start gap-x-6 gap-y-3 p-4" aria-busy={busy}>
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="min-w-0 break-words font-medium">
            {who}
          </span>
          {now?.admin ? <Badge tone="accent">Administrator</Badge> : null}
          {own ? <Badge>You</Badge> : null}
          {decision ? <Badge tone={DECISIONS[decision].tone}>{DECISIONS[decision].label}</Badge> : null}
        </p>
        <p className="mt-1 break-words text-[0.8125rem] text-muted">
          {now === null ? 'Not a member any more' : has.length === 0 ? none : has.join(' · ')}
        </p>
        {wanted ? (
          <p className="mt-1 break-words text-[0.8125rem]">
            Is left with: {toEntries(wanted, policyNames).join(' · ')}
          </p>
        ) : null}
        {decidedBy ? (
          <p className="mt-1 break-words text-[0.8125rem] text-muted">
            Decided by {decidedBy}
            {note ? `: ${note}` : ''}
          </p>
        ) : null}
        {outcome ? (
          <p className={`mt-1 break-words text-[0.8125rem] ${outcome === 'failed' ? 'text-danger-text' : ''}`}>
            {OUTCOMES[outcome]}
            {message ? `: ${message}` : ''}
          </p>
        ) : null}
      </div>
      {mayDecide && !own ? (
        <div className="flex flex-wrap gap-2">
          <Button
            size="sm"
            busy={busy}
            aria-label={`Keep ${name}`}
            onClick={() => void onDecide({ membership, decision: 'keep', ...version })}
          >
            Keep
          </Button>
          {canReduce ? (
            <Button size="sm" aria-label={`Reduce ${name}…`} onClick={onReduce}>
              Reduce…
            </Button>
          ) : null}
          <Button
            size="sm"
            variant="ghost"
            className="text-danger-text"
            aria-label={`Remove ${name}`}
            onClick={() => void onDecide({ membership, decision: 'remove', ...version })}
          >
            Remove
          </Button>
        </div>
      ) : mayDecide ? (
        <p className="text-[0.8125rem] text-muted">Another reviewer decides about you.</p>
      ) : null}
    </Card>
  );
}
