'use client';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { toDuration } from '#components/bots/facts.ts';
import { Card } from '#components/ui/display/card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { FilterSelect } from '#components/ui/form/filter-select.tsx';
import { useRunFigures } from '#lib/client/bots/run-sight.ts';
import type { RunFigure, RunFigures } from '#lib/protocol/bots/runs/run-sight.ts';
import { DurationChart, RunsChart } from './chart.tsx';
import { FiguresTable } from './figures-table.tsx';

const SPANS = [
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
] as const;

/** How many ran and failed, and how long they took, over time; `bot` is empty for all. */
export function RunCharts({ projectId, bot }: { projectId: string; bot: string }) {
  const [span, setSpan] = useQueryState('span', parseAsStringLiteral(['day', 'week', 'month']).withDefault('day'));
  const figures = useRunFigures(projectId, bot, span);
  return (
    <>
      <div className="mb-3">
        <FilterSelect
          aria-label="Time of the charts"
          value={span}
          options={SPANS}
          onValueChange={(next) => void setSpan(next)}
        />
      </div>
      {figures.error && !figures.data ? (
        <Card>
          <ErrorState error={figures.error} what="the figures" onRetry={() => void figures.refetch()} />
        </Card>
      ) : figures.data ? (
        <Charts {...figures.data} />
      ) : (
        <SkeletonRegion label="Loading the charts" className="flex flex-col gap-4">
          <Skeleton className="h-56" />
          <Skeleton className="h-56" />
        </SkeletonRegion>
      )}
    </>
  );
}

function Charts({ step, figures, total }: RunFigures) {
  const toLabel = ({ at }: RunFigure) => (step === 'hour' ? hour : day).format(new Date(at));
  const percent = total.runs === 0 ? 0 : (total.failed / total.runs) * 100;
  const median = total.p50Ms === null ? 'none' : toDuration(total.p50Ms);
  const slow = total.p95Ms === null ? 'none' : toDuration(total.p95Ms);
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 lg:grid-cols-2">
        <Card className="p-4">
          <h2 className="font-medium">Runs</h2>
          <p className="text-[0.8125rem] text-muted tabular-nums">
            {total.runs.toLocaleString('en')} ran, {total.failed.toLocaleString('en')} did not end well (
            {percent.toFixed(percent > 0 && percent < 10 ? 1 : 0)} %)
          </p>
          <RunsChart figures={figures} toLabel={toLabel} />
        </Card>
        <Card className="p-4">
          <h2 className="font-medium">How long they took</h2>
          <p className="text-[0.8125rem] text-muted tabular-nums">
            Half within {median} (solid), 95 % within {slow} (dashed)
          </p>
          <DurationChart figures={figures} toLabel={toLabel} />
        </Card>
      </div>
      <FiguresTable step={step} figures={figures} toLabel={toLabel} />
    </div>
  );
}

const hour = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
/** A day is one of UTC. */
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
