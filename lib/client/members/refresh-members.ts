import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../api/query-keys.ts';

/** Reads again whatever on the page tells of members. */
export async function refreshMembers(queries: QueryClient, projectId: string): Promise<void> {
  const stale = [keys.members(projectId), keys.facts(projectId), keys.invites(projectId)];
  await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
