'use client';
import { useQuery } from '@tanstack/react-query';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';
import type { AccessEffect } from '#lib/protocol/policies/answers.ts';
import type { MemberDraft } from '#lib/protocol/policies/requests.ts';
import { apiAnswer } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** What is not saved yet: a policy, or the access of a member. */
export type EffectDraft = { policyId: string; draft: AccessPolicy } | { membershipId: string; draft: MemberDraft };

/** What saving it would do: asked for this very draft, when `isAsked`. */
export function useAccessEffect(projectId: string, of: EffectDraft, isAsked: boolean) {
  const path = 'policyId' in of ? `access-policies/${of.policyId}` : `members/${of.membershipId}`;
  return useQuery({
    queryKey: [...keys.effect(projectId), path, of.draft],
    enabled: isAsked,
    queryFn: ({ signal }) => readEffect(`/admin/projects/${projectId}/${path}/effect`, of.draft, signal),
    retry: false,
    staleTime: 0,
  });
}

async function readEffect(path: string, body: unknown, signal: AbortSignal): Promise<AccessEffect> {
  return (await apiAnswer<AccessEffect>(path, { method: 'POST', body, signal })).body;
}
