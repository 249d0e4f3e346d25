import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { networkOf } from '../limits/network-of.ts';
import { findMemberships } from './find-memberships.ts';

/** Wrong passwords given for one account since its last audit row. */
type Failures = {
  ctx: Ctx;
  userId: string | undefined;
  projectId: string | undefined;
  count: number;
  /** Of these, turned away unread because there were too many. */
  refused: number;
  networks: Set<string>;
};

/** A row follows the first failure so soon; for the account's next row the rest of the window is waited for. */
const FIRST_MS = 1000;
const WINDOW_MS = 15 * 60_000;
const MOST_ACCOUNTS = 10_000;
const NETWORKS_SHOWN = 5;

const waiting = new Map<string, Failures>();
const lastRow = new Map<string, number>();
let timer: NodeJS.Timeout | undefined;
let flushing: Promise<void> = Promise.resolve();

/**
 * Notes that a sign-in failed. Beside the request, which says the same and takes the same while whether there is such an account or not.
 * However many guess, an account has a row in 15 minutes and process, with their number and where they came from. Addresses that nobody
 * has are one account together, without a name.
 */
export function noteFailure(
  ctx: Ctx,
  userId: string | undefined,
  { projectId, isRefused }: { projectId: string | undefined; isRefused: boolean },
): void {
  const key = userId ?? '';
  if (!waiting.has(key) && waiting.size >= MOST_ACCOUNTS) return;
  const known = waiting.get(key) ?? { ctx, userId, projectId, count: 0, refused: 0, networks: new Set() };
  known.count += 1;
  if (isRefused) known.refused += 1;
  if (known.networks.size < NETWORKS_SHOWN) known.networks.add(networkOf(ctx.remoteAddress));
  waiting.set(key, known);
  timer ??= setTimeout(flushDue, FIRST_MS).unref();
}

/** Resolves when every failure noted so far has its row. For the end of the process. */
export async function flushFailures(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  await flush([...waiting.keys()]);
}

function flushDue(): void {
  const since = Date.now() - WINDOW_MS;
  for (const [key, at] of lastRow) if (at < since) lastRow.delete(key);
  flushing = flush([...waiting.keys()].filter((key) => !lastRow.has(key)));
  timer = waiting.size > 0 ? setTimeout(flushDue, FIRST_MS).unref() : undefined;
}

async function flush(keys: string[]): Promise<void> {
  await flushing;
  for (const key of keys) {
    const failures = waiting.get(key);
    if (!failures) continue;
    waiting.delete(key);
    lastRow.set(key, Date.now());
    await audit(failures).catch((err: unknown) => log.error({ err }, 'a failed sign-in was not audited'));
  }
}

async function audit({ ctx, userId, projectId, count, refused, networks }: Failures): Promise<void> {
  const { requestId, remoteAddress, userAgent } = ctx;
  const choices = userId ? await findMemberships(userId, { projectId }) : [];
  await write({ requestId, remoteAddress, userAgent }, async (w) => {
    w.audit({
      // Where the sign-in would have been filed, had it been right.
      projectId: (choices.length === 1 && choices[0]?.projectId) || SERVER_SCOPE,
      action: 'login.failed',
      target: userId ? `User/${userId}` : 'User/unknown',
      // R4 AuditEvent.outcome: one who is turned away has tried too often.
      outcome: refused > 0 ? 8 : 4,
      after: { count, ...(refused > 0 && { refused }), networks: [...networks] },
    });
  });
}
