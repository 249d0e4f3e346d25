import { and, asc, eq, gt, isNotNull, isNull, lte, ne, or } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { accountChange, type ChangeRow } from '#lib/infra/db/schema/account-change.ts';
import type { WaitingChange } from '#lib/protocol/account-changes/answers.ts';
import type { Write } from '../access/context.ts';

export type NewChange = Omit<ChangeRow, 'createdAt' | 'confirmedAt' | 'endedAt' | 'outcome'>;
export type Outcome = NonNullable<ChangeRow['outcome']>;

/**
 * Whether the new address is to be confirmed yet. An erasure has a hash, too, which nobody knows the secret of: the release before, which takes every
 * change of a person's own for one of the address, lets it lie.
 */
export function awaitsConfirmation({ kind, confirmHash, confirmedAt }: ChangeRow): boolean {
  return kind !== 'erase' && confirmHash !== null && !confirmedAt;
}

/** Throws 409 while another of this kind waits. */
export async function insertChange(w: Write, row: NewChange): Promise<ChangeRow> {
  try {
    const [made] = await w.tx.insert(accountChange).values(row).returning();
    return made!;
  } catch (cause) {
    if (uniqueViolation(cause) === undefined) throw cause;
    const text = 'Such a change of this account waits already: take it back first';
    throw new AppError('conflict', text, { cause });
  }
}

/** Of a person, what waits; what nobody confirmed in time does not. */
export async function findWaiting(q: Queryable, userId: string): Promise<ChangeRow[]> {
  const { createdAt, expiresAt } = accountChange;
  const waits = and(eq(accountChange.userId, userId), isNull(accountChange.endedAt), gt(expiresAt, new Date()));
  return q.select().from(accountChange).where(waits).orderBy(asc(createdAt));
}

export async function findChange(q: Queryable, id: string): Promise<ChangeRow | undefined> {
  const [row] = await q.select().from(accountChange).where(eq(accountChange.id, id));
  return row;
}

/** Which are to be looked at, the longest due first; not those that wait for somebody to confirm them. */
export async function findDue(q: Queryable, now: Date, most: number): Promise<string[]> {
  const { kind, confirmHash, confirmedAt, expiresAt } = accountChange;
  const isSaid = or(eq(kind, 'erase'), isNull(confirmHash), isNotNull(confirmedAt), lte(expiresAt, now));
  const due = and(isNull(accountChange.endedAt), lte(accountChange.dueAt, now), isSaid);
  const rows = await q
    .select({ id: accountChange.id })
    .from(accountChange)
    .where(due)
    .orderBy(asc(accountChange.dueAt))
    .limit(most);
  return rows.map(({ id }) => id);
}

/** One that waits, held until the transaction ends: it is not stopped meanwhile. */
export async function lockWaiting(w: Write, id: string): Promise<ChangeRow | undefined> {
  const waits = and(eq(accountChange.id, id), isNull(accountChange.endedAt));
  const [row] = await w.tx.select().from(accountChange).where(waits).for('update');
  return row;
}

/** False when it has ended already: of several at once one ends it. */
export async function endChange(w: Write, id: string, outcome: Outcome): Promise<boolean> {
  const waits = and(eq(accountChange.id, id), isNull(accountChange.endedAt));
  const ended = await w.tx
    .update(accountChange)
    .set({ endedAt: new Date(), outcome })
    .where(waits)
    .returning({ id: accountChange.id });
  return ended.length === 1;
}

/** Those of a kind that wait, since the thing itself was done another way; or what nobody confirmed in time. */
export async function endWaiting(
  w: Write,
  { userId, kind, lapsed = false }: { userId: string; kind: ChangeRow['kind']; lapsed?: boolean },
): Promise<void> {
  const { endedAt, expiresAt } = accountChange;
  const waits = and(eq(accountChange.userId, userId), eq(accountChange.kind, kind), isNull(endedAt));
  const ended = await w.tx
    .update(accountChange)
    .set({ endedAt: new Date(), outcome: lapsed ? 'lapsed' : 'cancelled' })
    .where(lapsed ? and(waits, lte(expiresAt, new Date())) : waits)
    .returning();
  for (const { scope, projectId } of lapsed ? [] : ended) {
    const entry = { action: 'user.change.cancel', target: `User/${userId}`, before: { kind } } as const;
    for (const at of new Set([scope, projectId ?? scope])) w.audit({ projectId: at, ...entry });
  }
}

/** Of a person who is erased nothing is kept that says what they were called; the row of the erasure does not. */
export async function dropOthers(w: Write, { id, userId }: Pick<ChangeRow, 'id' | 'userId'>): Promise<void> {
  await w.tx.delete(accountChange).where(and(eq(accountChange.userId, userId), ne(accountChange.id, id)));
}

export async function noteConfirmed(w: Write, id: string): Promise<void> {
  await w.tx.update(accountChange).set({ confirmedAt: new Date() }).where(eq(accountChange.id, id));
}

/** As the person and their administrators see it. */
export function toWaiting(row: ChangeRow): WaitingChange {
  const { id, kind, detail, createdAt, dueAt } = row;
  const { email, method, passkeys } = detail;
  return {
    id,
    kind,
    by: row.projectId === null ? 'person' : 'administrator',
    ...(email !== undefined && { email }),
    ...(method && { method }),
    ...(passkeys && { passkeys }),
    askedAt: createdAt.toISOString(),
    dueAt: dueAt.toISOString(),
    ...(kind !== 'erase' && row.confirmHash !== null && { confirmed: row.confirmedAt !== null }),
  };
}
