import { and, eq } from 'drizzle-orm';
import { scimConnection, scimMember, scimRequest, scimToken } from '#lib/infra/db/schema/scim.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import type { ScimConnectionEdit } from '#lib/protocol/scim/connection.ts';
import { clientTag, scimTag } from '../access/cache-tags.ts';
import { type Actor, type Ctx, requireProjectAdmin, type Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { endMembership } from '../memberships/end-membership.ts';
import { followName } from '../memberships/follow-name.ts';
import { lockAdmins } from '../memberships/guard-admins.ts';
import { deleteRow } from '../store/delete-row.ts';
import { lockRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { type Connection, lockConnection, ofConnection } from './connections.ts';

/** Another name, or whether it sends mail. Throws 403 and 404. */
export async function editConnection(ctx: Ctx, projectId: string, id: string, edit: ScimConnectionEdit): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    const { name, sendEmail, clientId } = await lockConnection(w.tx, projectId, id);
    const before = { name, sendEmail };
    const after = { name: edit.name ?? name, sendEmail: edit.sendEmail ?? sendEmail };
    if (before.name === after.name && before.sendEmail === after.sendEmail) return w.unchanged();
    await w.tx.update(scimConnection).set(after).where(ofConnection(projectId, id));
    const row = await lockRow(w.tx, projectId, 'ClientApplication', clientId);
    if (row && !row.deleted) {
      const client = toResource<ClientApplication>(row);
      await followName(w, await updateRow(w, row, { ...client, name: after.name }, actor.profile), row);
    }
    w.invalidate(scimTag(id));
    w.audit({ projectId, action: 'scim.connection.update', target: `ClientApplication/${clientId}`, before, after });
  });
}

/**
 * The end of a connection: its tokens work no longer, and the client that it acted as is gone. The members that it made stay as they are,
 * and are again changed by hand. Throws 403 and 404.
 */
export async function disconnectDirectory(ctx: Ctx, projectId: string, id: string): Promise<void> {
  const actor = requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    await lockAdmins(w.tx, projectId);
    const connection = await lockConnection(w.tx, projectId, id);
    for (const table of [scimToken, scimRequest, scimMember]) {
      await w.tx.delete(table).where(and(eq(table.projectId, projectId), eq(table.connectionId, id)));
    }
    await w.tx.delete(scimConnection).where(ofConnection(projectId, id));
    await endClient(w, actor, connection);
    w.invalidate(scimTag(id));
    const { name, sendEmail, clientId } = connection;
    const target = `ClientApplication/${clientId}`;
    w.audit({ projectId, action: 'scim.connection.delete', target, before: { name, sendEmail } });
  });
}

/** An administrator may have deleted it before, as any client. */
async function endClient(w: Write, actor: Actor, { projectId, clientId, membershipId }: Connection): Promise<void> {
  const membership = await lockRow(w.tx, projectId, 'ProjectMembership', membershipId);
  if (membership && !membership.deleted) await endMembership(w, membership, actor.profile);
  const client = await lockRow(w.tx, projectId, 'ClientApplication', clientId);
  if (client && !client.deleted) await deleteRow(w, client, actor.profile);
  w.invalidate(clientTag(clientId));
}
