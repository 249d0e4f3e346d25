import { log } from '#lib/base/log.ts';
import { OVER as ACCOUNTS } from '#lib/domain/accounts/over.ts';
import { OVER as BULK_JOBS } from '#lib/domain/bulk-jobs/over.ts';
import { OVER as IDEMPOTENCY } from '#lib/domain/idempotency/over.ts';
import { OVER as LIMITS } from '#lib/domain/limits/over.ts';
import { OVER as LINKS } from '#lib/domain/links/over.ts';
import { OVER as OAUTH } from '#lib/domain/oauth/over.ts';
import { rotateDueKey } from '#lib/domain/oauth/rotate-signing-key.ts';
import { OVER as RUNS } from '#lib/domain/runs/over.ts';
import { OVER as SESSIONS } from '#lib/domain/sessions/over.ts';
import { sweep } from '#lib/infra/db/sweep.ts';
import { OVER as MAIL } from '#lib/infra/mail/over.ts';

const EVERY_MS = 3_600_000;
/** A server that has just started has better things to do. */
const FIRST_MS = 60_000;

/** What the rooms say of their tables. */
const OVER = {
  ...ACCOUNTS,
  ...BULK_JOBS,
  ...IDEMPOTENCY,
  ...LIMITS,
  ...LINKS,
  ...OAUTH,
  ...RUNS,
  ...MAIL,
  ...SESSIONS,
};

let timers: NodeJS.Timeout[] = [];
let sweeping: Promise<void> | undefined;

/** Drops what is over, every hour. */
export function startSweeping(): void {
  timers = [setTimeout(sweepOnce, FIRST_MS).unref(), setInterval(sweepOnce, EVERY_MS).unref()];
}

/** Once, now. */
export function dropOver(): Promise<void> {
  return sweep(OVER);
}

export async function stopSweeping(): Promise<void> {
  for (const timer of timers) clearTimeout(timer);
  await sweeping;
}

function sweepOnce(): void {
  sweeping ??= run().finally(() => {
    sweeping = undefined;
  });
}

async function run(): Promise<void> {
  try {
    await rotateDueKey({ requestId: 'sweep', remoteAddress: '', userAgent: '' });
    await dropOver();
  } catch (error) {
    log.warn({ err: error }, 'what is over could not be dropped');
  }
}
