'use client';
import { useQuery } from '@tanstack/react-query';
import type { ExplainRequest } from '#lib/protocol/explain/explain-request.ts';
import type { Decision, Explanation } from '#lib/protocol/explain/explanation.ts';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** As it is sent. */
export type ExplainQuestion = Partial<ExplainRequest> & Pick<ExplainRequest, 'interaction' | 'resourceType'>;

/** What a member may do and why, asked anew each time: whatever it stands on may have changed. */
export function useExplanation(projectId: string, question: ExplainQuestion | undefined) {
  return useQuery({
    queryKey: [...keys.project(projectId), 'explanation', question],
    enabled: question !== undefined,
    gcTime: 0,
    queryFn: ({ signal }) =>
      api<Explanation>(`/admin/projects/${projectId}/access/explain`, { method: 'POST', body: question, signal }),
  });
}

/** A refusal by its id. */
export function useDecision(projectId: string, id: string) {
  return useQuery({
    queryKey: [...keys.project(projectId), 'decision', id],
    enabled: id !== '',
    queryFn: ({ signal }) =>
      api<Decision>(`/admin/projects/${projectId}/access/decisions/${encodeURIComponent(id)}`, { signal }),
  });
}

/** The text of a stored policy, to be changed as a draft. */
export async function readPolicyText(reference: string): Promise<string> {
  const { meta: _meta, ...policy } = await api<AccessPolicy>(`/fhir/R4/${reference}`);
  return JSON.stringify(policy, null, 2);
}
