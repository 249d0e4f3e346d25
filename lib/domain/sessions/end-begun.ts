import { and, eq, type SQL } from 'drizzle-orm';
import { deviceRequest } from '#lib/infra/db/schema/grants.ts';
import { signInLink } from '#lib/infra/db/schema/sign-in-link.ts';
import type { Write } from '../access/context.ts';

/** Let in by a person, as a member, or with an app; of all that is named. */
export type DevicesOf = { userId?: string } & ({ userId: string } | { membershipId: string } | { clientId: string });

/**
 * Devices that somebody has let in and that have not asked since are told no. Whoever had a session could otherwise leave one behind that begins
 * after all of them were ended. Returns how many there were.
 */
export async function takeBackDevices(w: Write, of: DevicesOf): Promise<number> {
  const which: (SQL | undefined)[] = [
    of.userId === undefined ? undefined : eq(deviceRequest.userId, of.userId),
    'membershipId' in of ? eq(deviceRequest.membershipId, of.membershipId) : undefined,
    'clientId' in of ? eq(deviceRequest.clientId, of.clientId) : undefined,
  ];
  const taken = await w.tx
    .update(deviceRequest)
    .set({ state: 'denied' })
    .where(and(...which, eq(deviceRequest.state, 'allowed')))
    .returning({ hash: deviceRequest.deviceHash });
  return taken.length;
}

/** Mails that a person could still sign in by are of no use any more: whoever is put out may have begun them. How many there were. */
export async function endSignInLinks(w: Write, userId: string): Promise<number> {
  const ended = await w.tx.delete(signInLink).where(eq(signInLink.userId, userId)).returning({ id: signInLink.id });
  return ended.length;
}
