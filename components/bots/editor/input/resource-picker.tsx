'use client';
import { useState } from 'react';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { SearchBox } from '#components/ui/form/search-box.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { type FoundResource, useResources, wordsOf } from '#lib/client/bots/find-resources.ts';
import { resourceTypes } from '#lib/protocol/fhir/type-ids.ts';

const TYPES = [...resourceTypes()].sort().map((type) => ({ value: type, label: type }));

export type ResourcePickerProps = {
  projectId: string;
  onPick: (found: FoundResource) => void;
  onClose: () => void;
};

/** A resource of the project, to run a bot with. What is found is what oneself may read. */
export function ResourcePicker({ projectId, onPick, onClose }: ResourcePickerProps) {
  const [type, setType] = useState('Patient');
  const [words, setWords] = useState('');
  const found = useResources(projectId, type, words);
  const { label } = wordsOf(type);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Choose a resource as the input"
      description="It is copied as it is now; nothing in it changes."
      className="max-w-xl"
    >
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap gap-2">
          <SearchBox label={label} placeholder={label} value={words} onSearch={setWords} className="min-w-52 flex-1" />
          <Select
            aria-label="Type"
            value={type}
            onValueChange={setType}
            options={TYPES}
            className="w-48 max-sm:w-full"
          />
        </div>
        <div className="h-80 overflow-y-auto" aria-busy={found.isFetching || undefined}>
          {found.error ? (
            <ErrorState error={found.error} what="these resources" onRetry={() => void found.refetch()} />
          ) : found.data ? (
            <Found rows={found.data} type={type} words={words} onPick={onPick} />
          ) : (
            <SkeletonRegion label="Searching" className="flex flex-col gap-2">
              {[0, 1, 2, 3].map((row) => (
                <Skeleton key={row} className="h-11 w-full" />
              ))}
            </SkeletonRegion>
          )}
        </div>
      </div>
    </Dialog>
  );
}

type FoundProps = {
  rows: readonly FoundResource[];
  type: string;
  words: string;
  onPick: (found: FoundResource) => void;
};

function Found({ rows, type, words, onPick }: FoundProps) {
  if (rows.length === 0) {
    return (
      <p role="status" className="px-1 py-6 text-center text-muted">
        {words.trim() ? `No ${type} is found by that.` : `There is no ${type} yet, or none that you may read.`}
      </p>
    );
  }
  return (
    <ul aria-label={words.trim() ? 'Found' : 'Changed last'} className="flex flex-col gap-0.5 p-1">
      {rows.map((found) => (
        <li key={found.resource.id}>
          <button
            type="button"
            onClick={() => onPick(found)}
            className="flex w-full min-w-0 flex-col rounded-lg px-3 py-2 text-left hover:bg-hover"
          >
            <span className="w-full truncate font-medium">{found.title}</span>
            <span className="w-full truncate text-muted text-xs">
              {found.resource.id} · version {found.version}
              {found.lastUpdated ? (
                <>
                  {' · '}
                  <Time at={found.lastUpdated} />
                </>
              ) : null}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
