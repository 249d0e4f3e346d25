import { db } from '#lib/infra/db/client.ts';
import { claimRequest, dropClaim, type KeptAnswer, keepAnswer, type NamedRequest } from './kept-answers.ts';
import type { Once } from './run-once.ts';

/**
 * As `runOnce`, for work that must not hold a transaction (a bot's run): the name is claimed first. While the first one runs, the same
 * name is a 409. Only an answer below 400 is kept: whatever else happened may be tried again.
 */
export async function runClaimed(request: NamedRequest, run: () => Promise<KeptAnswer>): Promise<Once> {
  const known = await claimRequest(db(), request);
  if (known) return { answer: known, replayed: true };
  try {
    const answer = await run();
    if (answer.status < 400) await keepAnswer(db(), request, answer);
    else await dropClaim(db(), request);
    return { answer, replayed: false };
  } catch (error) {
    await dropClaim(db(), request);
    throw error;
  }
}
