import { and, eq, gt, type SQL } from 'drizzle-orm';
import { isUuid, newSecret } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { appLaunch } from '#lib/infra/db/schema/grants.ts';
import type { LaunchContext } from '#lib/protocol/launch/context.ts';

/** As long as an app needs to come back to us, and the person to sign in and say yes. */
const MINUTES = 15;

/** For which app and person. */
export type LaunchOf = { projectId: string; clientId: string; userRef: string };

type Row = typeof appLaunch.$inferInsert;

/** A name for it, and the row that is kept under the name's hash. The name has the project, by which it is found. */
export function toLaunchRow(of: LaunchOf, context: LaunchContext): { launch: string; row: Row } {
  const launch = `${of.projectId}.${newSecret()}`;
  const expiresAt = new Date(Date.now() + MINUTES * 60_000);
  return { launch, row: { ...of, hash: hashSecret(launch), context, expiresAt } };
}

/** What the app was started about, which stays. Undefined when it is not known (any more), or is another's. */
export async function findLaunch(q: Queryable, launch: string, of: LaunchOf): Promise<LaunchContext | undefined> {
  const where = toWhere(launch, of);
  const [row] = where ? await q.select({ context: appLaunch.context }).from(appLaunch).where(where) : [];
  return row?.context;
}

/** The same, once: of two at the same moment one gets it. */
export async function takeLaunch(q: Queryable, launch: string, of: LaunchOf): Promise<LaunchContext | undefined> {
  const where = toWhere(launch, of);
  const [row] = where ? await q.delete(appLaunch).where(where).returning({ context: appLaunch.context }) : [];
  return row?.context;
}

/** The app and the person stand in it, so that nobody spends what is another's. */
function toWhere(launch: string, { projectId, clientId, userRef }: LaunchOf): SQL | undefined {
  const named = launch.split('.', 1)[0];
  if (!isUuid(named) || named.toLowerCase() !== projectId) return undefined;
  return and(
    eq(appLaunch.projectId, projectId),
    eq(appLaunch.hash, hashSecret(launch)),
    eq(appLaunch.clientId, clientId),
    eq(appLaunch.userRef, userRef),
    gt(appLaunch.expiresAt, new Date()),
  );
}
