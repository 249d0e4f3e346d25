'use client';
import { useQuery } from '@tanstack/react-query';
import type { PolicyVocabulary } from '#lib/protocol/answers/access-policies.ts';
import { api, apiResponse } from '../api/api.ts';
import { type ApiIssue, toIssues } from '../api/api-error.ts';
import { keys } from '../api/query-keys.ts';
import type { SearchSet } from '../api/types.ts';
import type { StoredPolicy } from './policies.ts';

/** What a rule of the type can name; without a type, which types there are. */
export function vocabularyQuery(projectId: string, type = '') {
  return {
    queryKey: [...keys.accessPolicies(projectId), 'vocabulary', type],
    queryFn: () =>
      api<PolicyVocabulary>(`/admin/projects/${projectId}/access-policies/vocabulary${type && `?type=${type}`}`),
    staleTime: 300_000,
  };
}

/** What stands against a save, by what would refuse it: the change is made and taken back. */
export async function lintPolicy(policy: object, id: string | undefined, signal: AbortSignal): Promise<ApiIssue[]> {
  const answer = await apiResponse(
    `/fhir/R4/AccessPolicy${id ? `/${id}` : ''}/$validate?mode=${id ? 'update' : 'create'}`,
    { method: 'POST', contentType: 'application/fhir+json', body: id ? { ...policy, id } : policy, signal },
  );
  const outcome = (await answer.json()) as { issue?: { severity?: string }[] };
  return toIssues({ issue: (outcome.issue ?? []).filter(({ severity }) => severity === 'error') });
}

/** Every version that there is, newest first. */
export function usePolicyHistory(projectId: string, id: string) {
  return useQuery({
    queryKey: [...keys.accessPolicies(projectId), 'one', id, 'history'],
    queryFn: async ({ signal }): Promise<StoredPolicy[]> => {
      const found = await api<SearchSet<StoredPolicy | undefined>>(`/fhir/R4/AccessPolicy/${id}/_history?_count=100`, {
        signal,
      });
      return (found.entry ?? []).flatMap(({ resource }) => (resource ? [resource] : []));
    },
  });
}
