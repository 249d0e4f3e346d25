import { Badge } from '#components/ui/display/badge.tsx';
import type { BotRow, RunState } from '#lib/protocol/bots/bots.ts';

const STATES = {
  ok: { tone: 'good', label: 'OK' },
  failed: { tone: 'danger', label: 'Failed' },
  timeout: { tone: 'warn', label: 'Timed out' },
  'out-of-memory': { tone: 'warn', label: 'Out of memory' },
} as const satisfies Record<RunState, unknown>;

export function RunBadge({ status }: { status: RunState }) {
  const { tone, label } = STATES[status];
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
}

/** As LiveBadge; of a bot that is turned off, that. */
export function BotStatus({ bot: { live, draft, isOff } }: { bot: BotRow }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      {isOff ? (
        <Badge tone="warn" dot>
          Off
        </Badge>
      ) : null}
      <LiveBadge live={live} draft={draft} />
    </span>
  );
}

/** What runs, and whether the draft has moved on since. */
export function LiveBadge({ live, draft }: { live: number | null; draft: boolean }) {
  if (live === null) return <Badge>Not deployed</Badge>;
  return (
    <span className="inline-flex items-center gap-1.5">
      <Badge tone="accent">Live v{live}</Badge>
      {draft ? (
        <Badge tone="info" dot>
          Draft
        </Badge>
      ) : null}
    </span>
  );
}
