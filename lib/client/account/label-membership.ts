import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** What one calls a membership of one's own; null: nothing. */
export function useLabelMembership() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, label }: { id: string; label: string | null }) =>
      api(`/auth/memberships/${id}`, { method: 'PUT', body: { label } }),
    meta: { about: ({ id }: { id: string }) => [id] },
    onSettled: () => queries.invalidateQueries({ queryKey: keys.memberships }),
  });
}
