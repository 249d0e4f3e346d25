import { MutationCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { markMutations } from './mark-mutations.ts';

/** Reads repeat only what may pass (no answer, 429, 5xx); writes never repeat by themselves. */
export function makeQueryClient(): QueryClient {
  const mutationCache = new MutationCache();
  markMutations(mutationCache);
  return new QueryClient({
    mutationCache,
    defaultOptions: {
      queries: { staleTime: 15_000, retry: (count, error) => count < 2 && mayPass(error) },
      mutations: { retry: false },
    },
  });
}

function mayPass(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}
