import { cn } from '#components/ui/cn.ts';

const RINGS = [0, 1, 2, 3, 4, 5, 6, 7];

/** Nested gates, line on line: the one ornament of the brand. */
export function Arches({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 480 480"
      preserveAspectRatio="xMidYMax meet"
      fill="none"
      aria-hidden="true"
      className={cn('text-current', className)}
    >
      {RINGS.map((ring) => {
        const radius = 30 + ring * 28;
        return (
          <path
            key={ring}
            d={`M${240 - radius} 480V${260}a${radius} ${radius} 0 0 1 ${radius * 2} 0V480`}
            stroke="currentColor"
            strokeWidth="1.25"
            strokeOpacity={0.5 - ring * 0.05}
          />
        );
      })}
    </svg>
  );
}
