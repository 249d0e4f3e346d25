import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';

/** For other statements to take along: `userIds` and `projectId` are parameters of theirs. */
export function noted(userIds: string, projectId: string): string {
  return `insert into user_project (user_id, project_id) select u, ${projectId}::uuid from unnest(${userIds}::uuid[]) as u order by u
    on conflict (user_id, project_id) do nothing`;
}

const NOTE = `${noted('$1', '$2')} returning 1`;

/** These people may be members there from now on. In the transaction that makes them so; returns how many were not known. */
export async function noteProject(tx: Queryable, projectId: string, userIds: readonly string[]): Promise<number> {
  if (userIds.length === 0) return 0;
  return (await runText(tx, NOTE, [toTextArray(userIds), projectId])).length;
}
