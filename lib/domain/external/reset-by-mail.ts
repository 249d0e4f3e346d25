import { AppError } from '#lib/base/errors.ts';
import type { Ctx } from '../access/context.ts';
import { requestPasswordReset } from '../accounts/request-password-reset.ts';
import { chooseMethod } from './choose-method.ts';

/**
 * As `requestPasswordReset`, but for addresses whose domain has an identity provider: that keeps the password, so there is none to choose here
 * (contract §1.5). Throws 400, which tells of the domain and of nobody in it.
 */
export async function resetByMail(ctx: Ctx, input: Parameters<typeof requestPasswordReset>[1]): Promise<void> {
  const { authorizeUrl, optional } = await chooseMethod(ctx, input);
  if (authorizeUrl !== undefined && !optional)
    throw new AppError('invalid', 'These addresses sign in at their organisation, which keeps their password', {
      expression: 'email',
    });
  return requestPasswordReset(ctx, input);
}
