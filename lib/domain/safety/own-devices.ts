import { db } from '#lib/infra/db/client.ts';
import type { OwnDevice, OwnDevices } from '#lib/protocol/devices/answers.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { deleteDevice, findDevices, saveDeviceName } from '../devices/own-rows.ts';
import { requireOwnAccount } from '../passkeys/require-own-account.ts';
import { endLogins } from '../sessions/end-logins.ts';
import { toDevice } from './to-device.ts';

/** GET /auth/devices: the browsers that the caller has come in by. Throws 403. */
export async function listDevices(ctx: Ctx): Promise<OwnDevices> {
  const { user, login } = await requireOwnAccount(ctx);
  const rows = await findDevices(db(), user.id);
  return { devices: rows.map((row) => toDevice(row, login.deviceId)) };
}

/** PUT /auth/devices/:id. Throws 403, and 404 for one that is not the caller's. */
export async function nameDevice(ctx: Ctx, deviceId: string, { name }: { name: string | null }): Promise<OwnDevice> {
  const { user, login } = await requireOwnAccount(ctx);
  return write(ctx, async (w) => {
    const row = await saveDeviceName(w, user.id, deviceId, name);
    w.audit({ projectId: user.scope, action: 'user.device.rename', target: `User/${user.id}`, after: { name } });
    return toDevice(row, login.deviceId);
  });
}

/**
 * DELETE /auth/devices/:id: ends every session that began in it, in every project, those of apps too, and forgets it: who comes in by it again
 * comes in by a new one, of which the person hears. Throws 403, and 404 for one that is not the caller's.
 */
export async function forgetDevice(ctx: Ctx, deviceId: string): Promise<{ ended: number }> {
  const { user } = await requireOwnAccount(ctx);
  return write(ctx, async (w) => {
    const { id, name } = await deleteDevice(w, user.id, deviceId);
    const ended = await endLogins(w, { user: `User/${user.id}`, deviceId: id });
    const target = `User/${user.id}`;
    w.audit({ projectId: user.scope, action: 'user.device.forget', target, before: { name, sessions: ended } });
    return { ended };
  });
}
