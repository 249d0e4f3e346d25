'use client';
import { useQuery } from '@tanstack/react-query';
import type { AccessAsOf } from '#lib/protocol/audit/access-as-of.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import { type AccessQuestion, toInstant } from '../sight/who.ts';

/** Who did see a record in the day before a moment; null where reads were not kept. Nothing is asked without a moment. */
export function useReads(projectId: string, { resource, at }: AccessQuestion) {
  const instant = toInstant(at);
  return useQuery({
    queryKey: [...keys.accessAsOf(projectId), resource, instant],
    enabled: resource !== '' && instant !== undefined,
    queryFn: async ({ signal }) => {
      const params = new URLSearchParams({ resource, at: instant ?? '', _count: '1' });
      const answer = await api<AccessAsOf>(`/admin/projects/${projectId}/access-as-of?${params}`, { signal });
      return answer.reads;
    },
  });
}
