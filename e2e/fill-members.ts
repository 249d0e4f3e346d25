import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Ctx, Write } from '#lib/domain/access/context.ts';
import { createUser } from '#lib/domain/accounts/create-user.ts';
import { write } from '#lib/domain/audit/write.ts';
import { insertMembership } from '#lib/domain/memberships/insert-membership.ts';
import { loadActor } from '#lib/domain/sessions/load-actor.ts';
import { createRow } from '#lib/domain/store/create-row.ts';

const TOGETHER = 100;
const LANES = 3;

/**
 * Every member is written by the product's own writers of people, records and memberships, a hundred in one transaction, in this process:
 * a third of what an invite costs, which asks first who is there. "Row 00042 <row-00042-…@example.com>" is the 42nd.
 */
export async function fillMembers(projectId: string, ownerMembership: string, count: number): Promise<void> {
  const { value: actor } = await loadActor({ projectId, membershipId: ownerMembership, scope: 'openid' });
  const ctx: Ctx = { requestId: 'fill', remoteAddress: '', userAgent: '', actor };
  const starts = Array.from({ length: Math.ceil(count / TOGETHER) }, (_, index) => index * TOGETHER + 1);
  const fillLane = async () => {
    for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
      const numbers = Array.from({ length: Math.min(TOGETHER, count + 1 - start) }, (_, index) => start! + index);
      await write(ctx, (w) => Promise.all(numbers.map((number) => insertMember(w, projectId, number, actor.profile))));
    }
  };
  await Promise.all(Array.from({ length: LANES }, fillLane));
}

async function insertMember(w: Write, projectId: string, number: number, author: string): Promise<void> {
  const lastName = String(number).padStart(5, '0');
  const email = `row-${lastName}-${projectId}@example.com`;
  const patient = number % 4 === 0;
  const scope = patient ? projectId : SERVER_SCOPE;
  const user = await createUser(w, { scope, firstName: 'Row', lastName, email, author });
  const resourceType = patient ? 'Patient' : 'Practitioner';
  const id = newId();
  await createRow(w, projectId, { resourceType, name: [{ given: ['Row'], family: lastName }] }, { author, id });
  const membership = {
    user: { reference: `User/${user.id}`, display: email },
    profile: { reference: `${resourceType}/${id}`, display: `Row ${lastName}` },
    admin: false,
  };
  await insertMembership(w, projectId, membership, { author });
}
