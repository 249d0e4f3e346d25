import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db } from '#lib/infra/db/client.ts';
import {
  type Claim,
  claimRequest,
  dropClaim,
  holdClaim,
  type KeptAnswer,
  keepAnswer,
  type NamedRequest,
} from './kept-answers.ts';
import type { Once } from './run-once.ts';

/**
 * As `runOnce`, for work that must not hold a transaction (a bot's run): the name is claimed first. While the first one runs, the same
 * name is a 409, and for two minutes after its process is gone. Only an answer below 400 is kept: whatever else happened may be tried again.
 */
export async function runClaimed(request: NamedRequest, run: () => Promise<KeptAnswer>): Promise<Once> {
  const found = await claimRequest(db(), request);
  if (!('token' in found)) return { answer: found, replayed: true };
  const beating = setInterval(() => void told(() => holdClaim(db(), request, found)), pace.claimBeatMs).unref();
  try {
    const answer = await orDropped(request, found, run);
    if (answer.status >= 400) await dropClaim(db(), request, found);
    // It is done: whoever asked hears so, and does not ask again, whether it could be kept or not.
    else if (!(await told(() => keepAnswer(db(), request, answer))))
      await told(() => keepAnswer(db(), request, answer));
    return { answer, replayed: false };
  } finally {
    clearInterval(beating);
  }
}

async function orDropped(request: NamedRequest, claim: Claim, run: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
  try {
    return await run();
  } catch (error) {
    await dropClaim(db(), request, claim);
    throw error;
  }
}

/** False where the database was not there. */
async function told(tell: () => Promise<void>): Promise<boolean> {
  try {
    await tell();
    return true;
  } catch (err) {
    log.warn({ err }, 'what became of a request that its caller has named could not be noted');
    return false;
  }
}
