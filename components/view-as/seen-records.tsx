'use client';
import type { Resource } from 'fhir/r4';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { CodeSamples } from '#components/ui/display/code-samples.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { useSeenMe, useSeenRecords, type View } from '#lib/client/view-as/view.ts';
import { toLabel, toSeenTypes } from './facts.ts';
import { Refusal } from './refusal.tsx';

const COMMON = ['Patient', 'Observation', 'Encounter', 'Condition', 'MedicationRequest', 'DocumentReference', 'Task'];

/** Records of a type as they are found and shown there: each as the API answers it. */
export function SeenRecords({ view, onOver }: { view: View; onOver: () => void }) {
  const [asked, setAsked] = useState<{ type: string; query: string }>();
  const [open, setOpen] = useState<Resource>();
  const [type, setType] = useState('');
  const [query, setQuery] = useState('');
  const [isMissing, setMissing] = useState(false);
  const types = useId();
  const me = useSeenMe(view);
  const seen = me.data ? toSeenTypes(me.data.accessPolicy) : [];
  const offered = seen.includes('*') ? [...new Set([...seen, ...COMMON])].filter((each) => each !== '*') : seen;
  const records = useSeenRecords(view, asked);
  const rows = records.data?.pages.flatMap(({ entry = [] }) => entry.flatMap(({ resource }) => resource ?? []));

  function look(event: FormEvent) {
    event.preventDefault();
    const wanted = { type: type.trim(), query: query.trim().replace(/^\?/, '') };
    setMissing(wanted.type === '');
    if (wanted.type === '') return;
    setOpen(undefined);
    if (asked?.type === wanted.type && asked.query === wanted.query) void records.refetch();
    else setAsked(wanted);
  }

  return (
    <Card className="flex flex-col gap-4 p-5">
      <h2 className="font-semibold text-[0.9375rem]">Records</h2>
      <form onSubmit={look} className="grid items-start gap-4 sm:grid-cols-[12rem_minmax(0,1fr)_auto]">
        <Field label="Type" error={isMissing ? 'Name a type, such as Patient' : undefined}>
          <Input
            value={type}
            onChange={(event) => setType(event.target.value)}
            list={types}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <datalist id={types}>
          {offered.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <Field label="Search" description="As in a request: name=lee&_sort=-_lastUpdated. Empty: all.">
          <Input
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Button type="submit" variant="primary" busy={records.isLoading} className="sm:mt-6.5">
          Look
        </Button>
      </form>
      {rows ? (
        <Found rows={rows} open={open} onOpen={setOpen} />
      ) : records.error ? (
        <Refusal error={records.error} what="these records" onOver={onOver} onRetry={() => void records.refetch()} />
      ) : asked ? (
        <SkeletonRegion label="Loading the records" className="flex flex-col gap-3">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </SkeletonRegion>
      ) : null}
      {rows && records.error ? (
        <Refusal
          error={records.error}
          what="more records"
          onOver={onOver}
          onRetry={() => void records.fetchNextPage()}
        />
      ) : null}
      {records.hasNextPage ? (
        <Button
          size="sm"
          className="self-start"
          busy={records.isFetchingNextPage}
          onClick={() => void records.fetchNextPage()}
        >
          Show more
        </Button>
      ) : null}
    </Card>
  );
}

type FoundProps = { rows: Resource[]; open: Resource | undefined; onOpen: (resource: Resource | undefined) => void };

function Found({ rows, open, onOpen }: FoundProps) {
  return (
    <>
      <p role="status" className="text-muted">
        {rows.length === 0 ? 'Nothing that both of you see' : `${rows.length} shown`}
      </p>
      <ul aria-label="Records" className="divide-y divide-line">
        {rows.map((resource) => {
          const { resourceType, id } = resource;
          const isOpen = open?.resourceType === resourceType && open.id === id;
          const code = isOpen ? JSON.stringify(resource, undefined, 2) : '';
          return (
            <li key={`${resourceType}/${id}`} className="py-2">
              <button
                type="button"
                aria-expanded={isOpen}
                onClick={() => onOpen(isOpen ? undefined : resource)}
                className="flex w-full min-w-0 flex-wrap items-baseline gap-x-3 rounded-md px-2 py-1 text-left hover:bg-hover"
              >
                <span className="min-w-0 break-words font-medium">{toLabel(resource) ?? resourceType}</span>
                <code className="min-w-0 break-all font-mono text-muted text-xs">
                  {resourceType}/{id}
                </code>
              </button>
              {isOpen ? <CodeSamples label="The record as JSON" samples={[{ label: resourceType, code }]} /> : null}
            </li>
          );
        })}
      </ul>
    </>
  );
}
