import { setTimeout as pause } from 'node:timers/promises';
import { pace } from '#lib/base/pace.ts';
import { type Lease, tryLease } from '#lib/infra/db/single/leases.ts';
import { tooManyRuns } from '../runs/gate.ts';
import { createLine, type Line } from './line.ts';

const MOST_WAITING = 50;
/** Of one project. */
const MOST_OF_PROJECT = 10;
const ASK_AGAIN_MS = 100;
/** In all processes together: each has a connection open beside those of requests. */
const MOST_AT_ONCE = 2;

/** Of this process: of each project one stands in it at most, so that they take turns. */
const all = createLine(MOST_WAITING);
const ofProjects = new Map<string, Line>();

/**
 * Waits until nobody else of the project makes a dry run in any process, nobody in this one, and at most one other in all: resolves to what gives
 * the turn back. `enter`: what it has to enter besides, which only one of the project holds at a time, and keeps no other project waiting. Throws 429 when that
 * takes longer than twenty seconds, or ten of the project or of fifty projects wait.
 */
export async function takeTurn(projectId: string, enter: () => Promise<() => void>): Promise<() => void> {
  const until = Date.now() + pace.dryRunWaitMs;
  const held: (() => void)[] = [];
  const giveBack = () => {
    for (const leave of held.reverse()) leave();
    if (ofProjects.get(projectId)?.isEmpty()) ofProjects.delete(projectId);
  };
  try {
    const own = ofProjects.get(projectId) ?? createLine(MOST_OF_PROJECT);
    ofProjects.set(projectId, own);
    held.push(await own.enter(until));
    held.push(leaveOf(await waitFor(`dry-run:${projectId}`, 1, until)));
    held.push(await enter());
    held.push(await all.enter(until));
    held.push(leaveOf(await waitFor('dry-runs', MOST_AT_ONCE, until)));
    return giveBack;
  } catch (error) {
    giveBack();
    throw error;
  }
}

function leaveOf(lease: Lease): () => void {
  return () => lease.release();
}

async function waitFor(name: string, places: number, until: number): Promise<Lease> {
  for (;;) {
    const lease = await tryLease(name, places);
    if (lease) return lease;
    if (Date.now() > until) throw tooManyRuns('Other dry runs are under way');
    await pause(ASK_AGAIN_MS);
  }
}
