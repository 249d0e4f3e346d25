import type { MemberJob } from '../requests/bulk-job.ts';

/** A change of many. Times are instants. `done` have succeeded; `done + failed` of `total` are behind us. */
export type BulkJob = {
  id: string;
  kind: MemberJob | 'invite';
  state: 'queued' | 'running' | 'done' | 'cancelled';
  total: number;
  done: number;
  failed: number;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  startedBy: { reference: string; display: string | null };
};

/** GET /admin/projects/{id}/jobs: the newest, whoever started them. */
export type BulkJobList = { rows: BulkJob[] };
