'use client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import type { Me } from '../api/types.ts';

/** Who is signed in, in which project, with which role. `printed`: what the server knew when it rendered the page. */
export function useMe(printed?: Me) {
  return useQuery({
    queryKey: keys.me,
    queryFn: ({ signal }) => api<Me>('/auth/me', { signal }),
    staleTime: 60_000,
    // Another tab may have ended the session, or opened another project with it.
    refetchOnWindowFocus: 'always',
    initialData: printed,
  });
}
