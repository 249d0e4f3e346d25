'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Proof } from '#lib/protocol/proof/answers.ts';
import type { ProofRequest } from '#lib/protocol/proof/requests.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** By what the person can show again who they are. */
const proofQuery = {
  queryKey: keys.proof,
  queryFn: ({ signal }: { signal: AbortSignal }) => api<Proof>('/auth/proof', { signal }),
  staleTime: 10_000,
  gcTime: 10_000,
};

export function useProofMethods() {
  return useQuery(proofQuery);
}

/** Asks anew, so that what shows them need not grow while one presses in it. */
export function useAskProofMethods(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(() => queries.prefetchQuery({ ...proofQuery, staleTime: 0 }), [queries]);
}

/** 400 names what was wrong. */
export function proveAgain(body: ProofRequest): Promise<Proof> {
  return api<Proof>('/auth/proof', { method: 'POST', body });
}
