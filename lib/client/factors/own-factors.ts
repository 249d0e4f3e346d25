'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FactorMethod, FactorStatus, RecoveryCodes } from '#lib/protocol/factors/answers.ts';
import { readRecoveryCodes } from '#lib/protocol/factors/recovery-codes.ts';
import type { OperationOutcome } from '#lib/protocol/fhir/types.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** What one has enrolled, what one may, and a secret for a new authenticator. */
export function useFactorStatus() {
  return useQuery({
    queryKey: keys.factors,
    queryFn: ({ signal }) => api<FactorStatus>('/auth/mfa/status', { signal }),
  });
}

/** Gives the recovery codes that come with the first factor. */
export function useEnrollFactor() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (body: { token: string; method: FactorMethod }) =>
      readRecoveryCodes(await api<OperationOutcome>('/auth/mfa/enroll', { method: 'POST', body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.factors }),
  });
}

export function useRemoveFactor() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: { token: string; method: FactorMethod }) => api('/auth/mfa/disable', { method: 'POST', body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.factors }),
  });
}

export function useRenewRecoveryCodes() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: { token: string }) => api<RecoveryCodes>('/auth/mfa/recovery-codes', { method: 'POST', body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.factors }),
  });
}

/** Mails a code to one's own address. */
export async function mailOwnCode(): Promise<void> {
  await api('/auth/mfa/send-email-challenge', { method: 'POST' });
}
