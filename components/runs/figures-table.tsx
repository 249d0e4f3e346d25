import { toDuration } from '#components/bots/facts.ts';
import { Card } from '#components/ui/display/card.tsx';
import { Table, TableCell, TableHead, TableRow } from '#components/ui/display/table.tsx';
import type { RunFigures } from '#lib/protocol/bots/runs/run-sight.ts';
import type { ChartProps } from './chart.tsx';

/** What the charts show, in numbers; the newest first. */
export function FiguresTable({ step, figures, toLabel }: ChartProps & Pick<RunFigures, 'step'>) {
  return (
    <details>
      <summary className="inline-flex min-h-6 cursor-pointer font-medium text-[0.8125rem]">In numbers</summary>
      <Card className="mt-2 overflow-x-auto">
        <Table aria-label="Figures of runs">
          <thead>
            <tr>
              <TableHead>{step === 'hour' ? 'Hour' : 'Day (UTC)'}</TableHead>
              <TableHead className="text-right">Runs</TableHead>
              <TableHead className="text-right">Failed</TableHead>
              <TableHead className="text-right">Half within</TableHead>
              <TableHead className="text-right">95 % within</TableHead>
            </tr>
          </thead>
          <tbody>
            {figures.toReversed().map((figure) => (
              <TableRow key={figure.at}>
                <TableCell className="whitespace-nowrap">{toLabel(figure)}</TableCell>
                <TableCell className="text-right tabular-nums">{figure.runs}</TableCell>
                <TableCell className="text-right tabular-nums">{figure.failed}</TableCell>
                <TableCell className="text-right tabular-nums">{toCell(figure.p50Ms)}</TableCell>
                <TableCell className="text-right tabular-nums">{toCell(figure.p95Ms)}</TableCell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      </Card>
    </details>
  );
}

function toCell(ms: number | null): string {
  return ms === null ? '' : toDuration(ms);
}
