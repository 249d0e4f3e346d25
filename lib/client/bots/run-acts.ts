'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BotRunDetail, Replayed } from '#lib/protocol/bots/runs/bot-runs.ts';
import type { ReplayRunRequest, RevealRequest } from '#lib/protocol/bots/runs/run-requests.ts';
import type { AsyncJob, OperationOutcome } from '#lib/protocol/fhir/types.ts';
import { api, apiAnswer } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { newKey } from '../api/new-key.ts';
import { keys } from '../api/query-keys.ts';
import { runQuery } from './runs.ts';

/** One run as it was. Each time is audited with its reason; nothing of the answer outlives who asked for it. */
export function useRevealRun(projectId: string, runId: string) {
  return useMutation({
    mutationFn: (body: RevealRequest) =>
      api<BotRunDetail>(`/admin/projects/${projectId}/runs/${runId}/reveal`, { method: 'POST', body }),
    gcTime: 0,
  });
}

/** A run of the same input, or of this one, for real; answered when it has ended. */
export function useReplayRun(projectId: string, { id }: BotRunDetail) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (body: ReplayRunRequest) => {
      const path = `/admin/projects/${projectId}/runs/${id}/replay`;
      const headers = { 'Idempotency-Key': newKey() };
      const replayed = await api<Replayed>(path, { method: 'POST', body, headers });
      // Records are written in batches, a moment after the answer.
      for (const pauseMs of [120, 300, 700, 1500]) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        if (await cache.fetchQuery(runQuery(projectId, replayed.run)).catch(undefinedWhereAbsent)) break;
      }
      return replayed;
    },
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: [...keys.runs(projectId), 'list'] }),
        cache.invalidateQueries({ queryKey: keys.botList(projectId) }),
      ]),
  });
}

const POLL_MS = 1000;

/** How a job ended: so many of each; and whether there are older ones at which it did not look. */
export type ReplayedMany = {
  replayed: number;
  ok: number;
  failed: number;
  refused: number;
  skipped: number;
  unseen?: boolean;
};

/** These runs, or the newest of a kind within a time. */
export type Replayable =
  | { runs: readonly string[] }
  | { filter: { fingerprint: string; since: string; until: string; bot?: string }; limit: number };
export type ReplayVersion = 'live' | 'same';

/** Starts a job that runs these again, for real, one after the other. Returns its id. */
export async function startReplay(projectId: string, which: Replayable, version: ReplayVersion): Promise<string> {
  const path = `/admin/projects/${projectId}/runs/replay`;
  const headers = { 'Idempotency-Key': newKey() };
  const answer = await apiAnswer(path, { method: 'POST', body: { ...which, version }, headers });
  return /job\/([^/]+)\/status/.exec(answer.headers.get('content-location') ?? '')?.[1] ?? '';
}

/** Asks every second until it has ended; then the lists are read again. Also while its page is left: it goes on. */
export function useReplayJob(projectId: string, jobId: string) {
  const cache = useQueryClient();
  return useQuery({
    queryKey: [...keys.runs(projectId), 'job', jobId],
    queryFn: async ({ signal }) => {
      const job = await api<AsyncJob>(`/fhir/R4/job/${jobId}/status`, { signal });
      if (job.transactionTime) void cache.invalidateQueries({ queryKey: keys.runs(projectId), predicate: isNoJob });
      return job;
    },
    refetchInterval: ({ state }) => (state.data?.transactionTime ? false : POLL_MS),
  });
}

/** Lists, errors and charts; a run that is open stays as it was read. */
function isNoJob({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return !queryKey.includes('job') && !queryKey.includes('one');
}

export function cancelReplay(jobId: string): Promise<unknown> {
  return api(`/fhir/R4/job/${jobId}/status`, { method: 'DELETE' });
}

/** Undefined where it did not come to its end. */
export function toReplayed({ output }: AsyncJob): ReplayedMany | undefined {
  const parameters = (output as { parameter?: OutputParameter[] } | undefined)?.parameter ?? [];
  const counts = Object.fromEntries(
    parameters.map(({ name, valueInteger, valueBoolean }) => [name, valueInteger ?? valueBoolean]),
  );
  return counts.replayed === undefined ? undefined : (counts as ReplayedMany);
}

type OutputParameter = { name: string; valueInteger?: number; valueBoolean?: boolean };

/** Why it did not. */
export function whyNotReplayed({ output }: AsyncJob): string | undefined {
  const { parameter = [] } = (output ?? {}) as { parameter?: { name: string; resource?: OperationOutcome }[] };
  return parameter.find(({ name }) => name === 'outcome')?.resource?.issue[0]?.details?.text;
}

function undefinedWhereAbsent(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return undefined;
  throw error;
}
