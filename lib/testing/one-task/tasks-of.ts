/** What makes a plan more than one task of one node; undefined where it is one, or the coordinator's own. */
export function tasksOf(plan: string): string | undefined {
  const steps = plan.match(/Custom Scan \(Citus/g)?.length ?? 0;
  if (steps === 0) return undefined;
  if (steps > 1) return `${steps} steps by way of the coordinator`;
  const [, count] = /Task Count: (\d+)/.exec(plan) ?? [];
  if (count === undefined) return 'rows by way of the coordinator';
  return Number(count) > 1 ? `${count} tasks` : undefined;
}
