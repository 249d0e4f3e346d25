import { eq } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { SUPER_ADMIN_PROJECT } from '#lib/base/ids.ts';
import { secretMatches } from '#lib/infra/crypto/secret.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { clientSecret } from '#lib/infra/db/schema/clients.ts';
import { clientTag } from '../access/cache-tags.ts';
import type { Ctx, Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { replaceClientSecret } from '../clients/replace-client-secret.ts';
import { provisionClient } from '../memberships/provision-client.ts';
import { endLogins } from '../sessions/end-logins.ts';
import { lockRow } from '../store/find-row.ts';
import { insertProject } from './insert-project.ts';

/**
 * At start-up: the super-admin project and the client of SUPERADMIN_CLIENT_ID with the secret of the settings. Does nothing when it is
 * all there; a changed secret ends the tokens made with the old one. Several instances may call it at once.
 */
export async function ensureSuperAdmin(ctx: Ctx): Promise<void> {
  const { SUPERADMIN_CLIENT_ID: clientId, SUPERADMIN_CLIENT_SECRET: secret } = env();
  if (!clientId || !secret || (await isCurrent(db(), clientId, secret))) return;
  await write(ctx, async (w) => {
    await lockName(w.tx, 'super-admin');
    w.audit({ projectId: SUPER_ADMIN_PROJECT, action: 'super-admin.ensure', target: `ClientApplication/${clientId}` });
    if (await isCurrent(w.tx, clientId, secret)) return;
    if (await hasClient(w.tx, clientId)) return replaceSecret(w, clientId, secret);
    if (!(await lockRow(w.tx, SUPER_ADMIN_PROJECT, 'Project', SUPER_ADMIN_PROJECT))) await makeProject(w);
    await provisionClient(
      w,
      SUPER_ADMIN_PROJECT,
      { resourceType: 'ClientApplication', name: 'Super Admin Client' },
      { author: undefined, id: clientId.toLowerCase(), secret, admin: true },
    );
  });
}

async function isCurrent(q: Queryable, clientId: string, secret: string): Promise<boolean> {
  const [row] = await q.select().from(clientSecret).where(eq(clientSecret.clientId, clientId));
  return row?.projectId === SUPER_ADMIN_PROJECT && secretMatches(secret, row.secretHash);
}

/** A client of another project under this id would become a super-admin's: the server refuses to start. */
async function hasClient(q: Queryable, clientId: string): Promise<boolean> {
  const [row] = await q.select().from(clientSecret).where(eq(clientSecret.clientId, clientId));
  if (row && row.projectId !== SUPER_ADMIN_PROJECT) {
    throw new Error('Wrong settings:\n  SUPERADMIN_CLIENT_ID is the id of an ordinary client of this server');
  }
  return row !== undefined;
}

async function makeProject(w: Write): Promise<void> {
  await insertProject(
    w,
    { resourceType: 'Project', name: 'Super Admin', superAdmin: true, strictMode: true },
    { author: undefined, id: SUPER_ADMIN_PROJECT },
  );
}

async function replaceSecret(w: Write, clientId: string, secret: string): Promise<void> {
  await replaceClientSecret(w.tx, clientId, secret);
  const id = clientId.toLowerCase();
  await endLogins(w, { projectId: SUPER_ADMIN_PROJECT, clientId: id });
  w.invalidate(clientTag(id));
}
