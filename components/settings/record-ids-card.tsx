'use client';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { UPDATE_CREATE } from '#lib/protocol/update-create.ts';
import { FlagCard } from './flag-card.tsx';

/** Whether whoever writes a record may choose its id. */
export function RecordIdsCard({ project }: { project: Stored<Project> }) {
  return (
    <FlagCard
      project={project}
      flag={UPDATE_CREATE}
      id="record-ids"
      title="Record ids"
      description="Records that come from another system, under the ids that they have there."
      label="A PUT to an id that is free creates the record"
    >
      For imports and copies. Turned off, new records get their ids from Gatehouse; those that there are stay.
    </FlagCard>
  );
}
