import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import { clientTag } from '../access/cache-tags.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { endClientLogins } from './end-client-logins.ts';

/** Switches a client off, which ends its sessions at once, or on again. Its secret stays. Throws 404 and 410. */
export async function setClientStatus(
  ctx: Ctx,
  projectId: string,
  clientId: string,
  status: 'active' | 'off',
): Promise<Row> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || !isUuid(clientId)) throw notFound();
  return write(ctx, async (w) => {
    const row = requireLive(await lockRow(w.tx, projectId, 'ClientApplication', clientId));
    const client = toResource<ClientApplication>(row);
    const saved = await updateRow(w, row, { ...client, status }, actor.profile);
    if (saved === row) {
      w.unchanged();
      return row;
    }
    if (status === 'off') await endClientLogins(w, projectId, clientId);
    w.invalidate(clientTag(clientId));
    const action = status === 'off' ? 'client.disable' : 'client.enable';
    const before = { status: client.status ?? 'active' };
    w.audit({ projectId, action, target: `ClientApplication/${clientId}`, before, after: { status } });
    return saved;
  });
}
