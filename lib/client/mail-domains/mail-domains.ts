'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MailDomainList, MailDomainRow } from '#lib/protocol/answers/mail-domains.ts';
import type { MailDomainEdit } from '#lib/protocol/mail-domains/requests.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

export function useMailDomains(projectId: string) {
  return useQuery({
    queryKey: keys.mailDomains(projectId),
    queryFn: ({ signal }) => api<MailDomainList>(pathOf(projectId), { signal }),
  });
}

export function useClaimDomain(projectId: string) {
  return useWrite(projectId, ({ domain }: { domain: string }) =>
    api<MailDomainRow>(pathOf(projectId), { method: 'POST', body: { domain } }),
  );
}

/** Asks DNS, which may take some seconds. */
export function useVerifyDomain(projectId: string) {
  return useWrite(projectId, ({ domain }: { domain: string }) =>
    api<MailDomainRow>(`${pathOf(projectId)}/${domain}/verify`, { method: 'POST' }),
  );
}

export function useChangeDomain(projectId: string) {
  return useWrite(projectId, ({ domain, ...body }: MailDomainEdit & { domain: string }) =>
    api<MailDomainRow>(`${pathOf(projectId)}/${domain}`, { method: 'PATCH', body }),
  );
}

/** Its provider is gone at once; its members stay. */
export function useDropDomain(projectId: string) {
  return useWrite(projectId, ({ domain }: { domain: string }) =>
    api(`${pathOf(projectId)}/${domain}`, { method: 'DELETE' }),
  );
}

function pathOf(projectId: string): string {
  return `/admin/projects/${projectId}/domains`;
}

function useWrite<Input extends { domain: string }, Output>(
  projectId: string,
  mutationFn: (input: Input) => Promise<Output>,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn,
    meta: { about: ({ domain }: Input) => [domain] },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.mailDomains(projectId) }),
  });
}
