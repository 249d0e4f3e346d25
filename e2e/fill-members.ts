import type { Ctx } from '#lib/domain/access/context.ts';
import { write } from '#lib/domain/audit/write.ts';
import { inviteMember } from '#lib/domain/invites/invite-member.ts';
import { loadActor } from '#lib/domain/sessions/load-actor.ts';
import { inviteRequest } from '#lib/protocol/requests/invite-member.ts';

const TOGETHER = 100;
const LANES = 3;

/**
 * Every member is written by the product's own invite, a hundred in one transaction, in this process. "Row 00042
 * <row-00042-…@example.com>" is the 42nd.
 */
export async function fillMembers(projectId: string, ownerMembership: string, count: number): Promise<void> {
  const { value: actor } = await loadActor({ projectId, membershipId: ownerMembership, scope: 'openid' });
  const ctx: Ctx = { requestId: 'fill', remoteAddress: '', userAgent: '', actor };
  const starts = Array.from({ length: Math.ceil(count / TOGETHER) }, (_, index) => index * TOGETHER + 1);
  const fillLane = async () => {
    for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
      const numbers = Array.from({ length: Math.min(TOGETHER, count + 1 - start) }, (_, index) => start! + index);
      await write(ctx, (_, inside) =>
        Promise.all(numbers.map((number) => inviteMember(inside, projectId, inviteOf(projectId, number)))),
      );
    }
  };
  await Promise.all(Array.from({ length: LANES }, fillLane));
}

function inviteOf(projectId: string, number: number) {
  const name = String(number).padStart(5, '0');
  return inviteRequest.parse({
    resourceType: number % 4 === 0 ? 'Patient' : 'Practitioner',
    firstName: 'Row',
    lastName: name,
    email: `row-${name}-${projectId}@example.com`,
    sendEmail: false,
  });
}
