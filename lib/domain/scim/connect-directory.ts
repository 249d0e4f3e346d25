import { eq, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { scimConnection } from '#lib/infra/db/schema/scim.ts';
import type { NewScimToken } from '#lib/protocol/answers/scim-connections.ts';
import type { NewScimConnection } from '#lib/protocol/scim/connection.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { provisionClient } from '../memberships/provision-client.ts';
import { shareProject } from '../memberships/share-project.ts';
import { insertToken } from './tokens.ts';

const MOST_CONNECTIONS = 10;

/**
 * A connection for a directory with its first token, which is in the result and nowhere else. It acts as a client of its own, an
 * administrator without a secret: what it changes is told with its name. Throws 403, 404, and 409 for one too many.
 */
export async function connectDirectory(ctx: Ctx, projectId: string, input: NewScimConnection): Promise<NewScimToken> {
  const actor = requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    await lockName(w.tx, `directory:${projectId}:`);
    await shareProject(w.tx, projectId);
    const [counted] = await w.tx
      .select({ n: sql<number>`count(*)::int` })
      .from(scimConnection)
      .where(eq(scimConnection.projectId, projectId));
    if ((counted?.n ?? 0) >= MOST_CONNECTIONS) {
      throw new AppError('conflict', `A project has at most ${MOST_CONNECTIONS} directories`);
    }
    const { name, sendEmail } = input;
    const client = { resourceType: 'ClientApplication', name, description: 'Directory, by SCIM' } as const;
    const invitedBy = { reference: actor.user, ...(actor.profileDisplay && { display: actor.profileDisplay }) };
    const options = { author: actor.profile, admin: true, invitedBy, withoutSecret: true, ofDirectory: true };
    const { row, membership } = await provisionClient(w, projectId, client, options);
    const id = newId();
    const connection = { projectId, id, name, sendEmail, clientId: row.id, membershipId: membership.id };
    await w.tx.insert(scimConnection).values(connection);
    w.audit({
      projectId,
      action: 'scim.connection.create',
      target: `ClientApplication/${row.id}`,
      after: { name, sendEmail },
    });
    return { id, ...(await insertToken(w, { projectId, id, clientId: row.id })) };
  });
}
