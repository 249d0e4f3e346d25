import { toDuration } from '#components/bots/facts.ts';
import type { RunFigure } from '#lib/protocol/bots/runs/run-sight.ts';

const [WIDTH, HEIGHT] = [480, 120];

export type ChartProps = { figures: RunFigure[]; toLabel: (figure: RunFigure) => string };

/** A bar for each hour or day, what failed at its foot. The table below says the same in numbers. */
export function RunsChart({ figures, toLabel }: ChartProps) {
  const most = Math.max(1, ...figures.map(({ runs }) => runs));
  const step = WIDTH / figures.length;
  const toHeight = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT));
  return (
    <Frame
      label={`Runs over time, at most ${most.toLocaleString('en')} at once`}
      top={most.toLocaleString('en')}
      figures={figures}
      toLabel={toLabel}
    >
      {figures.map(({ at, runs, failed }, index) => {
        const place = { x: index * step + 1, width: step - 2 };
        const bad = Math.min(toHeight(runs), toHeight(failed));
        return (
          <g key={at}>
            <rect {...place} y={HEIGHT - toHeight(runs)} height={toHeight(runs)} className="fill-accent" />
            <rect {...place} y={HEIGHT - bad} height={bad} className="fill-danger" />
          </g>
        );
      })}
    </Frame>
  );
}

/** The median and the 95th percentile of each hour or day; a gap where nothing ran. */
export function DurationChart({ figures, toLabel }: ChartProps) {
  const most = Math.max(1, ...figures.map(({ p95Ms }) => p95Ms ?? 0));
  const step = WIDTH / figures.length;
  const toPath = (of: (figure: RunFigure) => number | null) => {
    let before = false;
    return figures
      .map((figure, index) => {
        const value = of(figure);
        const point =
          value === null ? '' : `${before ? 'L' : 'M'}${(index + 0.5) * step} ${HEIGHT - (value / most) * HEIGHT}h0.01`;
        before = value !== null;
        return point;
      })
      .join('');
  };
  const line = 'fill-none stroke-2 stroke-accent [stroke-linecap:round] [stroke-linejoin:round]';
  return (
    <Frame
      label={`How long runs took over time, at most ${toDuration(most)}`}
      top={toDuration(most)}
      figures={figures}
      toLabel={toLabel}
    >
      <path d={toPath(({ p50Ms }) => p50Ms)} vectorEffect="non-scaling-stroke" className={line} />
      <path d={toPath(({ p95Ms }) => p95Ms)} vectorEffect="non-scaling-stroke" strokeDasharray="2 5" className={line} />
    </Frame>
  );
}

type FrameProps = ChartProps & { label: string; top: string; children: React.ReactNode };

function Frame({ label, top, figures, toLabel, children }: FrameProps) {
  const [first, last] = [figures[0], figures.at(-1)];
  return (
    <figure className="mt-3">
      <p aria-hidden="true" className="text-muted text-xs tabular-nums">
        {top}
      </p>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-30 w-full overflow-visible border-line border-b forced-color-adjust-none"
      >
        {children}
      </svg>
      <figcaption aria-hidden="true" className="mt-1 flex justify-between text-muted text-xs tabular-nums">
        <span suppressHydrationWarning>{first ? toLabel(first) : ''}</span>
        <span suppressHydrationWarning>{last ? toLabel(last) : ''}</span>
      </figcaption>
    </figure>
  );
}
