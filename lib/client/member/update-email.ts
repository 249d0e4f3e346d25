'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

export type EmailChange = { email: string; updateProfileTelecom: boolean };

/** Another address to sign in with, for a person whose account is the project's own ("User/id"). Throws ApiError 409 when it is taken. */
export function useUpdateEmail(projectId: string, user: string) {
  const cache = useQueryClient();
  return useMutation({
    /** True where it waits. */
    mutationFn: async (body: EmailChange) => {
      const { email } = await api<{ email?: string }>(`/fhir/R4/${user}/$update-email`, { method: 'POST', body });
      return email !== body.email.toLowerCase();
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.members(projectId) }),
  });
}
