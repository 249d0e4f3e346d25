import { AppError, ERRORS, type Issue } from '#lib/base/errors.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';

/** What would stand against a change, as it would be made now. It is made, and taken back: nothing of it stays. */
export async function rehearse(ctx: Ctx, change: (inner: Ctx) => Promise<unknown>): Promise<Issue[]> {
  try {
    return await write<never>(ctx, async (_, inner) => {
      await change(inner);
      throw new Rehearsed('Taken back');
    });
  } catch (error) {
    if (error instanceof Rehearsed) return [];
    if (!(error instanceof AppError) || ERRORS[error.code].status >= 500) throw error;
    const { issue } = ERRORS[error.code];
    return error.issues.map(({ code = issue, ...rest }) => ({ ...rest, code }));
  }
}

/** Carries nothing out of the transaction but that the change would stand. */
class Rehearsed extends Error {}
