import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type postgres from 'postgres';
import { breachesOf, openLedger, toTable } from './ledger.ts';
import { startMailStandIn } from './mail-stand-in.ts';
import { makeProject } from './project.ts';
import { openSite } from './site.ts';
import type { Fault } from './strikes.ts';
import { verify } from './verify.ts';
import { work } from './work.ts';

/** Between two faults: so much is written in good order. */
const CALM_MS = 3000;
/** At the end. All mails that were asked for can leave in less (`MAILS_PER_SECOND`), those whose job was killed and is tried again, too. */
const SETTLE_MS = 120_000;

/** Strikes with each fault in turn while `goesOn`, each once at least. Prints the ledger, and resolves to its breaches. */
export async function runFaults(dataDir: string, faults: Fault[], goesOn: () => boolean): Promise<string[]> {
  const mail = await startMailStandIn();
  const site = await openSite(dataDir, { RESEND_API_KEY: 're_stand_in', RESEND_BASE_URL: mail.url });
  await site.serves();
  const project = await makeProject(site.base);
  const ledger = openLedger();
  let isWorking = true;
  const working = work(project, ledger, () => isWorking);
  working.catch(() => undefined);
  for (let round = 0; round < faults.length || goesOn(); round++) {
    const { name, strike } = faults[round % faults.length]!;
    await pause(CALM_MS);
    const struck = performance.now();
    await strike(site);
    await site.serves();
    console.log(`✓ ${name}: serves ${((performance.now() - struck) / 1000).toFixed(1)} s later`);
  }
  await pause(CALM_MS);
  isWorking = false;
  await working;
  const sql = site.sql();
  await settled(sql);
  const verdicts = await verify(sql, project.projectId, ledger, mail);
  await sql.end();
  await site.stop();
  console.log(`\n${toTable(ledger, verdicts)}\n`);
  const breaches = breachesOf(verdicts);
  if (breaches.length === 0) rmSync(site.logFile);
  return breaches;
}

/** Until nothing waits in a queue: mails are sent (or given up, which empties them), jobs are done. */
export async function settled(sql: postgres.Sql): Promise<void> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const [row] = await sql<{ waiting: number }[]>`select
      (select count(*) from mail where params_sealed is not null)::int + (select count(*) from bulk_job where state <> 'done')::int as waiting`.catch(
      stillStarting,
    );
    if (row?.waiting === 0) return;
    if (performance.now() > deadline)
      return console.log(`After ${SETTLE_MS / 1000} s ${row?.waiting} mails or jobs still wait.`);
    await pause(500);
  }
}

/** PostgreSQL was struck last, and reads its log yet (57P03, cannot_connect_now). */
function stillStarting(error: { code?: string }): { waiting: number }[] {
  if (error.code === '57P03') return [];
  throw error;
}
