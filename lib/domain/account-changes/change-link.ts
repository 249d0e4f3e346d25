import { AppError, notFound } from '#lib/base/errors.ts';
import { secretMatches } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';
import type { ChangeRow } from '#lib/infra/db/schema/account-change.ts';
import type { ChangeLink, ChangeState } from '#lib/protocol/account-changes/answers.ts';
import { maskAddress } from '#lib/protocol/account-changes/mask-address.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { attemptSecret } from '../limits/attempt-secret.ts';
import { networkOf } from '../limits/network-of.ts';
import { endLogins } from '../sessions/end-logins.ts';
import { awaitsConfirmation, endChange, findChange, toWaiting } from './change-rows.ts';

type Secret = { id: string; secret: string };

/** What a mailed link is about; it spends nothing. Throws 404 for an unknown id and for a secret that is not its own. */
export async function readChangeLink(ctx: Ctx, { id, secret }: Secret): Promise<ChangeLink> {
  const { row, purpose } = await requireChangeLink(ctx, { id, secret });
  const { kind, by, email, dueAt, confirmed } = toWaiting(row);
  const shown = email === undefined || purpose === 'confirm' ? email : maskAddress(email);
  return {
    ...{ purpose, kind, by, dueAt, state: stateOf(row) },
    ...(shown !== undefined && { email: shown }),
    ...(confirmed !== undefined && { confirmed }),
  };
}

/**
 * "This was not me", from the old address: the change is off. Where it was asked for in the person's own name somebody else has what they sign in
 * with, so that every session ends. Throws 404 as there, and 400 when it has ended.
 */
export async function stopChange(ctx: Ctx, { id, secret }: Secret): Promise<ChangeLink> {
  const { row, purpose } = await requireChangeLink(ctx, { id, secret });
  if (purpose !== 'stop') throw notFound();
  const target = `User/${row.userId}`;
  await write(ctx, async (w) => {
    if (!(await endChange(w, row.id, 'stopped'))) throw notWaiting(stateOf((await findChange(w.tx, row.id)) ?? row));
    const sessions = row.projectId === null ? await endLogins(w, { user: target }) : 0;
    const before = { kind: row.kind, sessions };
    for (const projectId of new Set([row.scope, row.projectId ?? row.scope]))
      w.audit({ projectId, action: 'user.change.stop', target, before });
  });
  return readChangeLink(ctx, { id, secret });
}

/** Wrong ones in 15 minutes from one network. Nobody guesses them: who tries is kept from asking the database on and on. */
const MOST_WRONG = 60;

/** Throws 404 for an unknown id and for a secret that is not its own: both look the same; 429 after many. */
export async function requireChangeLink(
  { remoteAddress }: Ctx,
  { id, secret }: Secret,
): Promise<{ row: ChangeRow; purpose: ChangeLink['purpose'] }> {
  const row = await findChange(db(), id);
  const purposeOf = () => {
    if (row && secretMatches(secret, row.stopHash)) return 'stop';
    return row && secretMatches(secret, row.confirmHash) ? 'confirm' : undefined;
  };
  const attempt = { key: `change-link:${networkOf(remoteAddress)}`, limit: MOST_WRONG };
  const isRight = await attemptSecret(attempt, () => purposeOf() !== undefined);
  const purpose = purposeOf();
  if (isRight && row && purpose) return { row, purpose };
  throw notFound();
}

export function stateOf(row: ChangeRow): ChangeState {
  const { outcome, endedAt, expiresAt } = row;
  if (endedAt) return outcome ?? 'done';
  return awaitsConfirmation(row) && expiresAt <= new Date() ? 'lapsed' : 'waiting';
}

const ENDED: Record<Exclude<ChangeState, 'waiting'>, string> = {
  done: 'This change was made already',
  stopped: 'This change was stopped already',
  cancelled: 'This change was taken back already',
  failed: 'This change could not be made',
  lapsed: 'Nobody confirmed this change in time',
};

export function notWaiting(state: ChangeState): AppError {
  const text = state === 'waiting' ? 'This change waits' : ENDED[state];
  return new AppError('invalid', text, { expression: 'id' });
}
