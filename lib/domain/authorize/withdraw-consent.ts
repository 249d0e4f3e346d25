import { sql } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { OwnConsent } from '#lib/protocol/answers/authorization.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { endLogins } from '../sessions/end-logins.ts';
import { projectsOfUser } from '../sessions/projects-of-user.ts';
import { findOwnLogin } from '../sign-in/find-own-login.ts';
import { WHOLE } from './consents.ts';

type Found = { client_id: string; scope: string; granted_at: string; name: string | null };

/** The apps that the caller has let in, in all projects, the newest first. */
export async function listConsents(ctx: Ctx): Promise<{ consents: OwnConsent[] }> {
  const userRef = await requireOwn(ctx);
  const found = await Promise.all((await projectsOfUser(db(), userRef)).map((projectId) => listIn(projectId, userRef)));
  return { consents: found.flat().sort((a, b) => b.grantedAt.localeCompare(a.grantedAt)) };
}

async function listIn(projectId: string, userRef: string): Promise<OwnConsent[]> {
  const rows = await db().execute<Found>(sql`
    select c.client_id, c.scope, c.granted_at, r.content->>'name' as name from consent c
    left join resource r on r.project_id = ${projectId} and r.type_id = ${typeId('ClientApplication')}
      and r.id = c.client_id::text and not r.deleted
    where c.project_id = ${projectId} and c.user_ref = ${userRef}`);
  return rows.map(({ client_id: clientId, scope, granted_at: at, name }) => {
    const scopes = scope.split(' ').filter((one) => one !== WHOLE);
    return { clientId, name: name ?? 'An app that is gone', scopes, grantedAt: toInstant(at) };
  });
}

/** Takes back what an app was given, and ends the person's logins there. 404 when it was given nothing. */
export async function withdrawConsent(ctx: Ctx, clientId: string): Promise<void> {
  const userRef = await requireOwn(ctx);
  if (!isUuid(clientId)) throw notFound();
  const id = clientId.toLowerCase();
  await write(ctx, async (w) => {
    for (const projectId of await projectsOfUser(w.tx, userRef)) {
      const [gone] = await w.tx.execute(sql`
        delete from consent where project_id = ${projectId} and user_ref = ${userRef} and client_id = ${id}::uuid returning 1`);
      if (!gone) continue;
      await endLogins(w, { projectId, clientId: id, userRef });
      w.audit({ projectId, action: 'consent.withdraw', target: `ClientApplication/${id}` });
      return;
    }
    throw notFound();
  });
}

/** "User/id" of who has signed in themselves. An app neither sees the others, nor ends them. */
async function requireOwn(ctx: Ctx): Promise<string> {
  const actor = requireActor(ctx);
  if (!(await findOwnLogin(actor)))
    throw new AppError('forbidden', 'Only somebody who has signed in themselves sees and ends what apps may do');
  return actor.user;
}
