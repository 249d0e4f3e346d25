'use client';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { VIEW_NOTICE } from '#lib/protocol/view-as/view-as.ts';
import { FlagCard } from './flag-card.tsx';

/** Whether people are mailed when an administrator looks with their eyes. */
export function ViewsCard({ project }: { project: Stored<Project> }) {
  return (
    <FlagCard
      project={project}
      flag={VIEW_NOTICE}
      isUsual
      id="views"
      title="Looking with a member’s eyes"
      description="An administrator sees what a member sees, for ten minutes, and changes nothing."
      label="Tell the person by mail"
    >
      Who looked, when and why stands on the person’s Account page in any case.
    </FlagCard>
  );
}
