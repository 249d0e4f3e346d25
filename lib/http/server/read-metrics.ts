import { env } from '#lib/base/env.ts';
import { AppError, notFound } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { within } from '#lib/base/within.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { hashSecret, secretMatches } from '#lib/infra/crypto/secret.ts';
import { watchQueue } from '#lib/infra/jobs/watch-queue.ts';
import {
  makeCommonGauge,
  type ProcessMetrics,
  readOwnMetrics,
  renderMetrics,
  watchProcess,
} from '#lib/infra/metrics/registry.ts';
import type { Reply } from '../door/reply.ts';
import { isOnThisMachine } from './own-machine.ts';
import { askSibling, OWN_METRICS, type Siblings, siblings } from './siblings.ts';

/** Prometheus gives up after ten seconds by default; what this process knows by itself is told while the database is away, too. */
const LONGEST_MS = 1000;

/**
 * How this process does, in Prometheus' text. For callers on this machine, and for who shows METRICS_TOKEN, from wherever. Where there is a
 * token, others are told to show it (401); where there is none, there is nothing for them (404).
 */
export async function readMetrics(ctx: Ctx, request: Request): Promise<Reply> {
  requireReader(ctx, request);
  await within(LONGEST_MS, watchQueue()).catch((error) => log.warn({ err: error }, 'the queue could not be counted'));
  watchProcess();
  const among = siblings();
  const { text, contentType } = await renderMetrics(among && (await askAll(among)));
  return { status: 200, body: text, contentType };
}

const heard = new Map<number, boolean>();

makeCommonGauge(
  'gatehouse_process_up',
  'Whether the process in this place told of itself. Only where there are several.',
  ['process'],
  () => [...heard].map(([place, isUp]) => ({ process: String(place), value: isUp ? 1 : 0 })),
);

/** One port, many processes: whichever is asked tells of all. */
async function askAll(among: Siblings): Promise<Map<string, ProcessMetrics>> {
  const all = new Map<string, ProcessMetrics>();
  const places = Array.from({ length: among.places }, (_, at) => at + 1);
  await Promise.all(
    places.map(async (place) => {
      const metrics = place === among.place ? await readOwnMetrics() : await askOne(among, place);
      heard.set(place, metrics !== undefined);
      if (metrics) all.set(String(place), metrics);
    }),
  );
  return all;
}

async function askOne(among: Siblings, place: number): Promise<ProcessMetrics | undefined> {
  try {
    return JSON.parse(await askSibling(among, place, OWN_METRICS, AbortSignal.timeout(LONGEST_MS)));
  } catch (error) {
    log.warn({ err: error, place }, 'a process did not tell of itself');
    return undefined;
  }
}

function requireReader(ctx: Ctx, request: Request): void {
  const { METRICS_TOKEN } = env();
  const [, shown] = /^bearer +(.+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (METRICS_TOKEN && shown && secretMatches(shown.trim(), hashSecret(METRICS_TOKEN))) return;
  // A token that is wrong is told so, also on this machine.
  if (!shown && isOnThisMachine(ctx, request)) return;
  throw METRICS_TOKEN ? new AppError('unauthorized', 'Show the METRICS_TOKEN of the settings') : notFound();
}
