'use client';
import { useQuery } from '@tanstack/react-query';
import type { Reference } from 'fhir/r4';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import { useMe } from './me.ts';

/** What the guards of a project stand on: who owns it, how many people administer it, and which membership is one's own. */
export type ProjectFacts = { owner: string | undefined; admins: number | undefined; self: string | undefined };

export function useProjectFacts(projectId: string): ProjectFacts {
  const me = useMe();
  const facts = useQuery({
    queryKey: keys.facts(projectId),
    queryFn: async ({ signal }) => {
      const [project, admins] = await Promise.all([
        api<{ owner?: Reference }>(`/fhir/R4/Project/${projectId}`, { signal }),
        api<{ total?: number }>(
          '/fhir/R4/ProjectMembership?admin=true&active=true&profile-type:not=ClientApplication,Bot&_summary=count',
          { signal },
        ),
      ]);
      return { owner: project.owner?.reference, admins: admins.total };
    },
  });
  return { owner: facts.data?.owner, admins: facts.data?.admins, self: me.data?.membership.id };
}
