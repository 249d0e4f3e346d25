import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Progress } from '#components/ui/feedback/progress.tsx';
import type { RecordErasure } from '#lib/protocol/record-erasure/answers.ts';
import { sumOf, TypeCountList } from './type-count-list.tsx';

/** Those that were asked for, the newest first. */
export function ErasureList({ rows }: { rows: readonly RecordErasure[] }) {
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="erasures" className="flex flex-col gap-3">
      <h2 id="erasures" className="font-semibold text-[0.9375rem]">
        Asked for
      </h2>
      <ul className="flex flex-col gap-3">
        {rows.map((erasure) => (
          <li key={erasure.id}>
            <ErasureCard erasure={erasure} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ErasureCard({ erasure }: { erasure: RecordErasure }) {
  const { patient, state, reason, total, erased, kept, createdAt, startedBy } = erasure;
  const done = sumOf(erased);
  const isDone = state === 'done';
  return (
    <Card className="flex flex-col gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="min-w-0 break-all font-medium text-sm">{patient}</h3>
        <Badge tone={isDone ? 'good' : 'info'}>{isDone ? 'Erased' : 'Being erased'}</Badge>
      </div>
      <p className="break-words text-[0.8125rem] text-muted">
        {reason}. Asked for by {startedBy.display ?? startedBy.reference}, <Time at={createdAt} />
      </p>
      <Progress
        label={`Erased of ${patient}`}
        value={isDone ? total : Math.min(done, total)}
        max={Math.max(1, total)}
      />
      <p role="status" className="text-sm tabular-nums">
        {isDone
          ? `${done.toLocaleString('en')} erased`
          : `${done.toLocaleString('en')} of about ${total.toLocaleString('en')}`}
      </p>
      {isDone ? (
        <TypeCountList title="Kept" counts={kept}>
          They are about other patients too, or somebody signs in with them.
        </TypeCountList>
      ) : null}
    </Card>
  );
}
