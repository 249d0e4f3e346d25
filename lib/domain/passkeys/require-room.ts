import { AppError } from '#lib/base/errors.ts';
import type { PasskeyRow } from '../webauthn/own-rows.ts';

const MOST = 20;

/** Throws 409 for who has as many as one may have. */
export function requireRoom(known: readonly PasskeyRow[]): void {
  if (known.length < MOST) return;
  throw new AppError('conflict', `You have ${MOST} passkeys, and no more are kept: take one out first`);
}
