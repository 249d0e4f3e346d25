'use client';
import { Card } from '#components/ui/display/card.tsx';
import { Table, TableCell, TableHead, TableRow } from '#components/ui/display/table.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { SkeletonRows } from '#components/ui/feedback/skeleton-rows.tsx';
import { type PoliciesListProps, PolicyGives, PolicyName, PolicyUse } from './facts.tsx';

const WAITING = ['w-40', 'w-64', 'w-28', 'w-24'].map((width) => ({ width }));

export function PoliciesTable({ projectId, policies }: PoliciesListProps) {
  return (
    <Card className="hidden overflow-x-auto md:block">
      <Table aria-label="Access policies" aria-busy={!policies} className="min-w-176">
        <thead>
          <tr>
            <TableHead className="w-[34%]">Name</TableHead>
            <TableHead>What it gives</TableHead>
            <TableHead className="w-40">Used by</TableHead>
            <TableHead className="w-36">Last change</TableHead>
          </tr>
        </thead>
        <tbody>
          {policies ? (
            policies.map((policy) => (
              <TableRow key={policy.id} data-row={policy.id} about={policy.id} className="relative hover:bg-hover/60">
                <TableCell className="max-w-0">
                  <PolicyName projectId={projectId} policy={policy} />
                </TableCell>
                <TableCell className="text-[0.8125rem] text-muted">
                  <PolicyGives policy={policy} />
                </TableCell>
                <TableCell className="whitespace-nowrap">
                  <PolicyUse projectId={projectId} policy={policy} />
                </TableCell>
                <TableCell className="whitespace-nowrap text-muted">
                  <Time at={policy.lastUpdated} />
                </TableCell>
              </TableRow>
            ))
          ) : (
            <SkeletonRows count={4} cells={WAITING} />
          )}
        </tbody>
      </Table>
    </Card>
  );
}
