import { and, eq, sql } from 'drizzle-orm';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Answer, callApi } from './call-api.ts';
import { db } from './set-up/own-db.ts';
import { invitation, type World } from './world.ts';

export async function countOf(projectId: string, type: string): Promise<number> {
  const [row] = await db().execute<{ n: number }>(sql`
    select count(*)::int as n from resource where project_id = ${projectId} and type_id = ${typeId(type)} and not deleted`);
  return row!.n;
}

export async function keysOf(projectId: string) {
  return db().select().from(membershipKey).where(eq(membershipKey.projectId, projectId));
}

export async function mailsOf(projectId: string, membershipId: string) {
  return db()
    .select()
    .from(mail)
    .where(and(eq(mail.projectId, projectId), eq(mail.membershipId, membershipId)));
}

export async function linksOf(membershipId: string) {
  return db().select().from(oneTimeLink).where(eq(oneTimeLink.membershipId, membershipId));
}

/** A resource made by the owner over FHIR. */
export async function make(world: World, type: string, body: object): Promise<{ id: string }> {
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/${type}`, {
    body: { resourceType: type, ...body },
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}

export function invite(world: World, fields: Record<string, unknown> = {}, headers = {}): Promise<Answer> {
  return world.call('POST', '/invite', { body: invitation(fields), headers });
}
