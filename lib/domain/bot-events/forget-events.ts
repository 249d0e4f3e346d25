import { type Queryable, runText } from '#lib/infra/db/client.ts';

/** Events and dead letters that name something: what was given up of it is given up for good. */
export async function forgetEvents(tx: Queryable, projectId: string, name: string): Promise<void> {
  await runText(
    tx,
    `delete from dead_letter where project_id = $1::uuid and position($2::text in focus || message || job::text) > 0`,
    [projectId, name],
  );
  // A letter has the id of its event, and may not name what that names.
  await runText(
    tx,
    `with gone as (
      update bot_event set state = 'ended', input = null, ended_at = coalesce(ended_at, now())
      where project_id = $1::uuid and position($2::text in coalesce(input, '')) > 0 returning id)
    delete from dead_letter where project_id = $1::uuid and id in (select id from gone)`,
    [projectId, name],
  );
}
