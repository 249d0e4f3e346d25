import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { Ctx } from '../access/context.ts';
import { nextStep, requireStartedLogin } from './started-login.ts';

/** Where a sign-in goes on that was begun elsewhere (contract §1.5): what its last step answered, with a code of its own. */
export async function resumeLogin(ctx: Ctx, loginId: string): Promise<LoginResult> {
  return nextStep(ctx, await requireStartedLogin(ctx, loginId), 'login.resume');
}
