import { AppError } from '#lib/base/errors.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import { PROOF_SECONDS } from '#lib/protocol/proof/proof.ts';
import { isProven } from './require-proof.ts';

type Shown = Pick<LoginRow, 'authMethod' | 'authTime' | 'factorAt'>;

/** When a session has last shown more than a password: a second step, or a passkey, which is two factors by itself. Undefined: never. */
export function lastFactor({ authMethod, authTime, factorAt }: Shown): Date | undefined {
  const begun = authMethod === 'passkey' ? authTime.getTime() : 0;
  const at = Math.max(begun, factorAt?.getTime() ?? 0);
  return at === 0 ? undefined : new Date(at);
}

/** That this was lately: who has found an open session, and knows the password, has not. Throws 403 as `requireProof`. */
export function requireFactorProof(login: Shown): void {
  const at = lastFactor(login);
  if (at && isProven(at)) return;
  throw new AppError('unproven', 'Show your second step or your passkey again: here a password alone is not enough', {
    maxAgeSeconds: PROOF_SECONDS,
  });
}
