import type { BotRow } from '#lib/protocol/bots/bots.ts';

const [STEP_PX, HEIGHT_PX] = [4, 20];

/** Runs of the last 24 hours, a bar an hour, what failed at its foot. The figures beside it say the same in numbers. */
export function RunsSparkline({ bot }: { bot: BotRow }) {
  const most = Math.max(1, ...bot.hours.map(([runs]) => runs));
  const width = bot.hours.length * STEP_PX;
  const toHeight = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT_PX));
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={HEIGHT_PX}
      viewBox={`0 0 ${width} ${HEIGHT_PX}`}
      className="overflow-visible forced-color-adjust-none"
    >
      <path d={`M0 ${HEIGHT_PX - 0.5}H${width}`} className="stroke-line" />
      {bot.hours.map(([runs, failed], hour) => {
        const [tall, bad] = [toHeight(runs), Math.min(toHeight(runs), toHeight(failed))];
        const at = { x: hour * STEP_PX, width: STEP_PX - 1 };
        return runs === 0 ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the hour is what it is.
          <g key={hour}>
            <rect {...at} y={HEIGHT_PX - tall} height={tall} rx={1} className="fill-accent" />
            {failed > 0 ? <rect {...at} y={HEIGHT_PX - bad} height={bad} rx={1} className="fill-danger" /> : null}
          </g>
        );
      })}
    </svg>
  );
}
