import { runWrite } from '#lib/infra/db/client.ts';
import { KINDS } from './counted.ts';

/**
 * Makes one row of each counter again, that connections wrote to in slots of their own: whoever adds them up reads few. What a transaction
 * is at is left for the next time, so nobody is waited for.
 */
export async function foldCounts(projectId: string): Promise<void> {
  await runWrite(FOLD, [projectId]);
}

const COUNTED = `profile_type, ${KINDS}`;
const FOLD = `
  with free as (select ${COUNTED}, slot from member_count where project_id = $1::uuid and slot <> 0 for update skip locked),
  taken as (delete from member_count c using free f where c.project_id = $1::uuid and (${of('c')}) = (${of('f')}) returning ${of('c', COUNTED)}, c.n)
  insert into member_count as c (project_id, ${COUNTED}, slot, n) select $1::uuid, ${COUNTED}, 0, sum(n)::int from taken group by ${COUNTED}
  on conflict (project_id, ${COUNTED}, slot) do update set n = c.n + excluded.n`;

function of(table: string, columns = `${COUNTED}, slot`): string {
  return columns
    .split(', ')
    .map((name) => `${table}.${name}`)
    .join(', ');
}
