import { AppError, ERRORS, type Issue } from '#lib/base/errors.ts';
import type { Ctx } from '../access/context.ts';
import { takenBack } from '../audit/taken-back.ts';

/** What would stand against a change, as it would be made now. It is made, and taken back: nothing of it stays. */
export async function rehearse(ctx: Ctx, change: (inner: Ctx) => Promise<unknown>): Promise<Issue[]> {
  try {
    await takenBack(ctx, change);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || ERRORS[error.code].status >= 500) throw error;
    const { issue } = ERRORS[error.code];
    return error.issues.map(({ code = issue, ...rest }) => ({ ...rest, code }));
  }
}
