import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import type { Merge } from '#lib/protocol/account-merge/answers.ts';
import type { MergeCodeRequest, MergeHandleRequest } from '#lib/protocol/account-merge/requests.ts';
import type { Ctx } from '../access/context.ts';
import { mailSignInCode, verifyFactor } from '../sign-in/verify-factor.ts';
import { previewMerge } from './merge-accounts.ts';
import { requireMerge } from './merge-rows.ts';
import { requireMerger } from './require-merger.ts';

/** POST /auth/merge/verify: the second step of the other account, by the gate of every sign-in; then what merging does. Throws 400, 403, 409, 429. */
export async function showSecondStep(ctx: Ctx, { handle, token }: MergeCodeRequest): Promise<Merge> {
  const { login } = await requireMerger(ctx);
  const row = await requireMerge(db(), login.id, handle);
  await verifyFactor({ ...ctx, actor: undefined }, { login: row.otherLoginId, token }).catch(renamed);
  return previewMerge(ctx, { handle });
}

/** POST /auth/merge/code: mails the code of the other account to its address. Throws 400, 403, 429. */
export async function mailMergeCode(ctx: Ctx, { handle }: MergeHandleRequest): Promise<void> {
  const { login } = await requireMerger(ctx);
  const row = await requireMerge(db(), login.id, handle);
  await mailSignInCode({ ...ctx, actor: undefined }, row.otherLoginId).catch(renamed);
}

/** Which login it is stays here: who asks has a handle. */
function renamed(error: unknown): never {
  if (error instanceof AppError && error.options.expression === 'login')
    throw new AppError(error.code, error.message, { expression: 'handle', cause: error });
  throw error;
}
