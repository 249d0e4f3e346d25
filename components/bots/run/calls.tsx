import { cn } from '#components/ui/cn.ts';
import { Badge } from '#components/ui/display/badge.tsx';
import { toWaterfall } from '#lib/client/bots/waterfall.ts';
import type { RunCall } from '#lib/protocol/bots/runs/bot-runs.ts';
import { toDuration, toSize } from '../facts.ts';

/** What a run asked for: when, how long it took, how that ended. The bars say nothing that the words do not. */
export function RunCalls({ calls, durationMs }: { calls: readonly RunCall[]; durationMs: number }) {
  if (calls.length === 0) return <p className="text-muted">This run asked for nothing.</p>;
  return (
    <ol aria-label="Calls" className="flex flex-col gap-2.5">
      {toWaterfall(calls, durationMs).map(({ call, left, width }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the calls of a finished run never move.
        <li key={at} className="text-[0.8125rem]">
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
            <span className="min-w-0 flex-1 basis-48 break-words font-mono text-xs leading-5">
              {call.method} {call.target ? <span className="text-muted">{call.target}</span> : null}
            </span>
            {call.status === undefined ? null : (
              <Badge tone={isBad(call) ? 'danger' : 'neutral'} className="tabular-nums">
                {toOutcome(call.status)}
              </Badge>
            )}
            <span className="text-muted text-xs tabular-nums">{toFacts(call)}</span>
          </div>
          <div aria-hidden="true" className="mt-1 h-1.5 rounded-full bg-sunken">
            <div
              className={cn('h-full rounded-full', isBad(call) ? 'bg-danger' : 'bg-accent')}
              style={{ marginLeft: `${left}%`, width: `${width}%` }}
            />
          </div>
        </li>
      ))}
    </ol>
  );
}

function isBad({ status }: RunCall): boolean {
  return status !== undefined && status >= 400;
}

function toOutcome(status: number): string {
  if (status < 400) return String(status);
  return `${status < 500 ? 'Refused' : 'Failed'} ${status}`;
}

function toFacts({ startMs, durationMs, bytes }: RunCall): string {
  const facts = [
    `after ${toDuration(startMs)}`,
    `took ${toDuration(durationMs)}`,
    bytes !== undefined && toSize(bytes),
  ];
  return facts.filter(Boolean).join(' · ');
}
