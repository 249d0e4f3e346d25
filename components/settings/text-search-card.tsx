'use client';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { TEXT_SEARCH } from '#lib/protocol/text-search.ts';
import { FlagCard } from './flag-card.tsx';

/** Whether records are found by their words. */
export function TextSearchCard({ project }: { project: Stored<Project> }) {
  return (
    <FlagCard
      project={project}
      flag={TEXT_SEARCH}
      id="text-search"
      title="Search by words"
      description="Searches with _text and _content, for the words of a record, wherever they stand in it."
      label="Records are found by their words"
    >
      Each write takes longer. Turned on, what is stored is looked through in the background first; turned off, searches
      for words and subscriptions to them end.
    </FlagCard>
  );
}
