import { setTimeout as pause } from 'node:timers/promises';
import { pace } from '#lib/base/pace.ts';
import { db, runText } from '#lib/infra/db/client.ts';
import { idOf } from '#lib/protocol/fhir/index/compile-own-param.ts';
import { windowsOf } from '#lib/protocol/fhir/index/format.ts';

const ROWS = 2000;
const SOME = `t.project_id = $1::uuid and t.ctid = any(array(select x.ctid from`;
const WITH = `x where x.project_id = $1::uuid and x.param = any($2::int[]) limit ${ROWS})) returning 1`;
/** All that were given out under a number, whatever the type. */
const OF_NUMBER = idOf(1) - idOf(0);
const TEXTS = [
  `delete from ix_string t where ${SOME} ix_string ${WITH}`,
  `delete from ix_date t where ${SOME} ix_date ${WITH}`,
  `delete from ix_quantity t where ${SOME} ix_quantity ${WITH}`,
  `delete from ix_words t where ${SOME} ix_words x where x.project_id = $1::uuid
    and x.param - x.param % ${OF_NUMBER} = any($2::int[]) limit ${ROWS})) returning 1`,
];

/** What stands in the tables of the index under numbers that nobody asks for any more goes, in short steps. */
export async function clearParams(projectId: string, numbers: readonly number[]): Promise<void> {
  const params = numbers.flatMap((number) => [idOf(number), windowsOf({ id: idOf(number) })]);
  if (params.length === 0) return;
  for (const text of TEXTS) {
    for (let gone = ROWS; gone >= ROWS; ) {
      gone = (await runText(db(), text, [projectId, `{${params.join(',')}}`])).length;
      if (gone >= ROWS) await pause(pace.sweepPauseMs);
    }
  }
}
