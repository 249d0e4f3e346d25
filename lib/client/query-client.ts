import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { toSignInPath } from './sign-in-path.ts';

/** Reads repeat only what may pass (no answer, 429, 5xx); writes never repeat by themselves. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: leaveWhenSessionEnded }),
    defaultOptions: {
      queries: { staleTime: 15_000, retry: (count, error) => count < 2 && mayPass(error) },
      mutations: { retry: false },
    },
  });
}

function mayPass(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** 401 means that the login is gone, never that something is not permitted (contract §1.1). */
function leaveWhenSessionEnded(error: Error): void {
  const [, area, projectId] = window.location.pathname.split('/');
  if (error instanceof ApiError && error.status === 401 && area === 'p')
    window.location.replace(toSignInPath(projectId, 'expired'));
}
