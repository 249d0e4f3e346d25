'use client';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { FlagCard } from './flag-card.tsx';

/** Whether people may have keys for their scripts. */
export function KeysCard({ project }: { project: Stored<Project> }) {
  return (
    <FlagCard
      project={project}
      flag="apiKeys"
      id="api-keys"
      title="API keys"
      description="Scripts of people, with a key that has less than its person and ends within a year."
      label="People may have API keys"
    >
      They make them on their Account page. Turned off, keys that there are stop working at once.
    </FlagCard>
  );
}
