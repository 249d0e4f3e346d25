'use client';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AccessPolicyList, CopiedPolicy } from '#lib/protocol/answers/access-policies.ts';
import type { AccessPolicy, Stored } from '#lib/protocol/fhir/types.ts';
import { type ApiRequest, api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

export type StoredPolicy = Stored<AccessPolicy>;

export const POLICY_PAGE = 50;

/** A page of the project's policies; `page` counts from 1. */
export function useAccessPolicies(projectId: string, { q, page }: { q: string; page: number }) {
  const params = new URLSearchParams({ _count: String(POLICY_PAGE), _offset: String((page - 1) * POLICY_PAGE) });
  if (q.trim()) params.set('name', q.trim());
  return useQuery({
    queryKey: [...keys.accessPolicies(projectId), 'list', params.toString()],
    queryFn: ({ signal }) =>
      api<AccessPolicyList>(`/admin/projects/${projectId}/access-policies?${params}`, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function policyQuery(projectId: string, id: string) {
  return queryOptions({
    queryKey: [...keys.accessPolicies(projectId), 'one', id],
    queryFn: ({ signal }) => api<StoredPolicy>(`/fhir/R4/AccessPolicy/${id}`, { signal }),
  });
}

/** A new one, or a new version of what has an id. 412 when somebody else has changed it since `ifMatch`. */
export function useSavePolicy(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({
      policy,
      ifMatch,
      headers,
    }: { policy: AccessPolicy & { id?: string } } & Pick<ApiRequest, 'ifMatch' | 'headers'>) =>
      api<StoredPolicy>(`/fhir/R4/AccessPolicy${policy.id ? `/${policy.id}` : ''}`, {
        method: policy.id ? 'PUT' : 'POST',
        contentType: 'application/fhir+json',
        body: policy,
        ifMatch,
        headers,
      }),
    meta: { about: ({ policy }: { policy: { id?: string } }) => (policy.id ? [policy.id] : []) },
    onSuccess: (saved) => cache.setQueryData(policyQuery(projectId, saved.id).queryKey, saved),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.policies(projectId) }),
  });
}

/** Refused while anything names it (409). */
export function useDeletePolicy(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api(`/fhir/R4/AccessPolicy/${id}`, { method: 'DELETE' }),
    meta: { about: (id: string) => [id] },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.policies(projectId) }),
  });
}

/** As a new policy of another project of one's own. */
export function useCopyPolicy(projectId: string, id: string) {
  return useMutation({
    mutationFn: ({ project, headers }: { project: string } & Pick<ApiRequest, 'headers'>) =>
      api<CopiedPolicy>(`/admin/projects/${projectId}/access-policies/${id}/copy`, {
        method: 'POST',
        body: { project },
        headers,
      }),
  });
}
