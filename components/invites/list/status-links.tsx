'use client';
import { cn } from '#components/ui/cn.ts';
import { MEMBER_STATUS_WORDS } from '#lib/protocol/answers/member-status.ts';
import { INVITE_STATUSES, type InviteStatusName } from '#lib/protocol/requests/invite-statuses.ts';

const LABELS: Record<InviteStatusName, string> = {
  pending: MEMBER_STATUS_WORDS.invited,
  accepted: 'Accepted',
  expired: MEMBER_STATUS_WORDS['invite-expired'],
  revoked: 'Taken back',
  failed: MEMBER_STATUS_WORDS['mail-failed'],
};

export type StatusLinksProps = {
  current: InviteStatusName;
  counts: Record<InviteStatusName, number> | undefined;
  onChange: (status: InviteStatusName) => void;
};

/** The five states with how many stand in each. */
export function StatusLinks({ current, counts, onChange }: StatusLinksProps) {
  return (
    <fieldset data-filters="" className="-mx-1 flex min-w-0 max-w-full gap-0.5 overflow-x-auto px-1 py-0.5">
      <legend className="sr-only">State of the invitation</legend>
      {INVITE_STATUSES.map((status) => {
        const count = counts?.[status];
        return (
          <button
            key={status}
            type="button"
            aria-pressed={status === current}
            onClick={() => onChange(status)}
            className="flex h-9 shrink-0 items-center gap-2 rounded-lg px-3 font-medium text-muted hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card aria-pressed:ring-1 aria-pressed:ring-line aria-pressed:ring-inset"
          >
            {LABELS[status]}
            <span
              className={cn(
                'min-w-5 rounded-full bg-sunken px-1.5 text-center text-muted text-xs tabular-nums',
                count === undefined && 'invisible',
                status === 'failed' && count ? 'bg-danger-soft text-danger-text' : '',
              )}
            >
              {(count ?? 0).toLocaleString('en')}
            </span>
          </button>
        );
      })}
    </fieldset>
  );
}
