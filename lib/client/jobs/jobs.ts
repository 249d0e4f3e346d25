'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { BulkJob, BulkJobList } from '#lib/protocol/answers/bulk-jobs.ts';
import type { MemberJob } from '#lib/protocol/requests/bulk-job.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import type { InviteInput } from '../invites/input.ts';

const POLL_MS = 1000;

/** Rows that were under way when a job was stopped end within so long. */
const LAST_ROWS_MS = 10_000;

/** The newest jobs of the project; followed closely while one is under way, and what they change is read again. */
export function useJobs(projectId: string) {
  const queries = useQueryClient();
  const jobs = useQuery({
    queryKey: keys.jobs(projectId),
    queryFn: async ({ signal }) => (await api<BulkJobList>(`/admin/projects/${projectId}/jobs`, { signal })).rows,
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? POLL_MS : false),
  });
  const over = jobs.data?.filter((job) => !isOpen(job)).map(({ id, done, failed }) => `${id} ${done} ${failed}`);
  const ended = over?.join();
  const before = useRef(ended);
  useEffect(() => {
    if (before.current !== undefined && ended !== before.current) {
      for (const key of [keys.members(projectId), keys.invites(projectId), keys.facts(projectId)])
        void queries.invalidateQueries({ queryKey: key });
    }
    before.current = ended;
  }, [ended, projectId, queries]);
  return jobs;
}

export function isOpen(job: BulkJob): boolean {
  return job.state === 'queued' || job.state === 'running';
}

function isMoving(job: BulkJob): boolean {
  if (job.state !== 'cancelled' || job.finishedAt === null) return isOpen(job);
  // A clock that is wrong by more follows nothing further, rather than for as long as it is wrong.
  return Math.abs(Date.now() - Date.parse(job.finishedAt)) < LAST_ROWS_MS;
}

export type MemberJobInput = { kind: MemberJob; idempotencyKey: string } & ({ members: string[] } | { search: string });
/** `numbers`: what the result file calls each row, from 1. */
export type InviteJobInput = { kind: 'invite'; idempotencyKey: string; rows: InviteInput[]; numbers: number[] };

/** Starts a job; the same key again gives the same job. Throws ApiError 400 naming `rows[n].field`. */
export async function startJob(projectId: string, input: MemberJobInput | InviteJobInput): Promise<string> {
  const { id } = await api<Pick<BulkJob, 'id'>>(`/admin/projects/${projectId}/jobs`, { method: 'POST', body: input });
  return id;
}

export async function cancelJob(projectId: string, jobId: string): Promise<void> {
  await api(`/admin/projects/${projectId}/jobs/${jobId}/cancel`, { method: 'POST', body: {} });
}

export function toResultPath(projectId: string, jobId: string): string {
  return `/admin/projects/${projectId}/jobs/${jobId}/result`;
}
