'use client';
import { Skeleton } from '#components/ui/feedback/skeleton.tsx';
import { useOverview } from '#lib/client/overview/overview.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { REQUIRE_POLICY, requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import { FlagCard } from './flag-card.tsx';

/** Whether every membership needs a policy; and whom that leaves without access, before it is turned on. */
export function PolicyRequiredCard({ project }: { project: Stored<Project> }) {
  return (
    <FlagCard
      project={project}
      flag={REQUIRE_POLICY}
      id="policy-required"
      title="A policy for everyone"
      description="What somebody reaches who has no access policy: members, clients and bots."
      label="Without a policy there is no access to records"
      note={<Bare projectId={project.id} isOn={requiresPolicy(project)} />}
    >
      Nobody is added without one. Turned off, who has none reaches every record.
    </FlagCard>
  );
}

/** How many have none. A line of its own from the beginning: nothing moves when it is known. */
function Bare({ projectId, isOn }: { projectId: string; isOn: boolean }) {
  const { data, error } = useOverview(projectId);
  if (error) return null;
  if (!data) return <Skeleton className="mt-3 w-64 max-w-full" />;
  const count = data.findingCounts['no-policy'] + data.findingCounts['policy-required'];
  const has = count === 1 ? 'One of them has' : `${count.toLocaleString('en')} of them have`;
  return (
    <p className={`mt-3 text-[0.8125rem] ${count > 0 ? 'text-warn-text' : 'text-muted'}`}>
      {count === 0
        ? 'All of them have one.'
        : `${has} none, and ${isOn ? 'no access to records' : 'would have no access to records'}: the overview shows who.`}
    </p>
  );
}
