'use client';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnPasskeys, Passkey } from '#lib/protocol/passkeys/answers.ts';
import { api } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { keys } from '../api/query-keys.ts';

export function usePasskeys() {
  return useQuery({
    queryKey: keys.passkeys,
    queryFn: ({ signal }) => api<OwnPasskeys>('/auth/passkeys', { signal }),
  });
}

/** With the password where the session is not new (`asksPassword`). The browser asks the person in between. */
export function useAddPasskey() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (body: { password?: string }) => {
      const optionsJSON = await api<PublicKeyCredentialCreationOptionsJSON>('/auth/passkeys/options', {
        method: 'POST',
        body,
      });
      const { startRegistration } = await import('@simplewebauthn/browser');
      const response = await startRegistration({ optionsJSON });
      return api<Passkey>('/auth/passkeys', { method: 'POST', body: { response } });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.passkeys }),
  });
}

/** Whether a passkey can be added after the password was typed again. */
export function asksPassword(error: unknown): boolean {
  return error instanceof ApiError && error.issues.some(({ expression }) => expression === 'password');
}

export function useRenamePasskey() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      api<Passkey>(`/auth/passkeys/${id}`, { method: 'PUT', body: { name } }),
    meta: { about: ({ id }: { id: string }) => [id] },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.passkeys }),
  });
}

export function useRemovePasskey() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api(`/auth/passkeys/${id}`, { method: 'DELETE' }),
    meta: { about: (id: string) => [id] },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.passkeys }),
  });
}
