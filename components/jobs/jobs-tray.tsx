'use client';
import dynamic from 'next/dynamic';
import { useSyncExternalStore } from 'react';
import { isOpen, useJobs } from '#lib/client/jobs/jobs.ts';
import type { BulkJob } from '#lib/protocol/answers/bulk-jobs.ts';
import { readDismissed, subscribeDismissed } from './dismissed-jobs.ts';

// Most pages that may show jobs have none.
const JobRow = dynamic(() => import('./job-row.tsx').then((module) => module.JobRow), { ssr: false });

/** Results of jobs stay in sight this long, unless somebody puts them away. */
const KEPT_MS = 30 * 60_000;

/** Finished jobs shown at once, at most. */
const MOST = 2;

export type JobsTrayProps = {
  projectId: string;
  /** Shows this one alone. */
  only?: string;
};

/** The bulk jobs of the project: one row each, with progress while it runs and the result file afterwards. */
export function JobsTray({ projectId, only }: JobsTrayProps) {
  const jobs = useJobs(projectId);
  const dismissed = useSyncExternalStore(subscribeDismissed, readDismissed, () => '');
  const all = jobs.data ?? [];
  const recent = all.filter((job) => !isOpen(job) && isFresh(job) && !dismissed.includes(job.id)).slice(0, MOST);
  const shown = only ? all.filter(({ id }) => id === only) : [...all.filter(isOpen), ...recent];
  if (shown.length === 0) return null;
  return (
    <section aria-label="Jobs" className="flex flex-col gap-2 [&>*]:shadow-pop">
      {shown.map((job) => (
        <JobRow key={job.id} projectId={projectId} job={job} />
      ))}
    </section>
  );
}

function isFresh(job: BulkJob): boolean {
  return job.finishedAt !== null && Date.now() - Date.parse(job.finishedAt) < KEPT_MS;
}
