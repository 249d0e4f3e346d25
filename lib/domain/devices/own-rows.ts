import { and, desc, eq } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { knownDevice } from '#lib/infra/db/schema/known-device.ts';
import type { Write } from '../access/context.ts';

export type DeviceRow = typeof knownDevice.$inferSelect;

/** The person's, the last used first. */
export async function findDevices(q: Queryable, userId: string): Promise<DeviceRow[]> {
  return q
    .select()
    .from(knownDevice)
    .where(eq(knownDevice.userId, userId))
    .orderBy(desc(knownDevice.lastSeenAt), desc(knownDevice.id));
}

/** Throws 404 for one that the person does not have. */
export async function saveDeviceName(w: Write, userId: string, id: string, name: string | null): Promise<DeviceRow> {
  if (!isUuid(id)) throw notFound();
  const [row] = await w.tx
    .update(knownDevice)
    .set({ name })
    .where(and(eq(knownDevice.userId, userId), eq(knownDevice.id, id)))
    .returning();
  if (!row) throw notFound();
  return row;
}

/** Forgets it: who comes in by it again comes in by a new one. Throws 404 for one that the person does not have. */
export async function deleteDevice(w: Write, userId: string, id: string): Promise<DeviceRow> {
  if (!isUuid(id)) throw notFound();
  const [row] = await w.tx
    .delete(knownDevice)
    .where(and(eq(knownDevice.userId, userId), eq(knownDevice.id, id)))
    .returning();
  if (!row) throw notFound();
  return row;
}
