'use client';
import { useQuery } from '@tanstack/react-query';
import type { Me } from '#lib/protocol/answers/me.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** What the console stands on of it. A page prints it, so the rest stays out of its HTML. */
export type FrameMe = Pick<Me, 'project' | 'membership' | 'profile' | 'limited' | 'security' | 'breakGlass'>;

/** Who is signed in, in which project, with which role. `printed`: what the server knew when it rendered the page. */
export function useMe(printed?: FrameMe) {
  return useQuery({
    queryKey: keys.me,
    queryFn: ({ signal }) => api<FrameMe>('/auth/me', { signal }),
    staleTime: 60_000,
    // An administrator may end what is open.
    refetchInterval: ({ state }) => (state.data?.breakGlass?.open ? 30_000 : false),
    // Another tab may have ended the session, or opened another project with it.
    refetchOnWindowFocus: 'always',
    initialData: printed,
  });
}
