'use client';
import { useQuery } from '@tanstack/react-query';
import type { Proof } from '#lib/protocol/proof/answers.ts';
import type { ProofRequest } from '#lib/protocol/proof/requests.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** By what the person can show again who they are. Asked anew each time. */
export function useProofMethods() {
  return useQuery({
    queryKey: keys.proof,
    queryFn: ({ signal }) => api<Proof>('/auth/proof', { signal }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** 400 names what was wrong. */
export function proveAgain(body: ProofRequest): Promise<Proof> {
  return api<Proof>('/auth/proof', { method: 'POST', body });
}
