import { db } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { findAnswer, type KeptAnswer, keepAnswer, type NamedRequest } from './kept-answers.ts';

export type Once = {
  answer: KeptAnswer /** It is that of an earlier request: nothing was done now. */;
  replayed: boolean;
};

/**
 * Runs a change once for each name that its caller gives: the answer is stored in the change's own transaction, so it is kept exactly if
 * the change is. A change that fails leaves nothing, and may be tried again.
 */
export async function runOnce(ctx: Ctx, request: NamedRequest, run: (ctx: Ctx) => Promise<KeptAnswer>): Promise<Once> {
  const known = await findAnswer(db(), request);
  if (known) return { answer: known, replayed: true };
  try {
    const answer = await write(ctx, async (w, inside) => {
      await lockName(w.tx, `idempotency:${request.membershipId}:${request.key}`);
      const earlier = await findAnswer(w.tx, request);
      if (earlier) throw new Replay(earlier);
      const made = await run(inside);
      await keepAnswer(w.tx, request, made);
      return made;
    });
    return { answer, replayed: false };
  } catch (error) {
    if (error instanceof Replay) return { answer: error.answer, replayed: true };
    throw error;
  }
}

/** Carries an earlier answer out of a transaction that has nothing to write. */
class Replay extends Error {
  readonly answer: KeptAnswer;

  constructor(answer: KeptAnswer) {
    super('replay');
    this.answer = answer;
  }
}
