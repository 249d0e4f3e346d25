import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';

/** Events and dead letters that name something: what was given up of it is given up for good. */
export async function forgetEvents(tx: Queryable, projectId: string, name: string): Promise<void> {
  const ended = await runText<{ id: string }>(
    tx,
    `update bot_event set state = 'ended', input = null, ended_at = coalesce(ended_at, now())
    where project_id = $1::uuid and position($2::text in coalesce(input, '')) > 0 returning id`,
    [projectId, name],
  );
  // After whoever was giving one of them up. A letter has the id of its event, and may not name what that names.
  await runText(
    tx,
    `delete from dead_letter where project_id = $1::uuid
    and (id = any($3::uuid[]) or position($2::text in focus || message || job::text) > 0)`,
    [projectId, name, toTextArray(ended.map(({ id }) => id))],
  );
}
