import type { Ctx } from '#lib/domain/access/context.ts';
import { write } from '#lib/domain/audit/write.ts';
import { inviteMember } from '#lib/domain/invites/invite-member.ts';
import { loadActor } from '#lib/domain/sessions/load-actor.ts';
import { closeDb } from '#lib/infra/db/client.ts';
import { inviteRequest } from '#lib/protocol/requests/invite-member.ts';

/**
 * A process of its own beside a server, with its settings: `node e2e/fill-members.ts <project> <owner's membership> <count>`. Every
 * member is written by the product's own invite, a hundred in one transaction. "Row 00042 <row-00042-…@example.com>" is the 42nd.
 */
const [projectId = '', membershipId = '', count = '0'] = process.argv.slice(2);
const TOGETHER = 100;
const LANES = 3;

const { value: actor } = await loadActor({ projectId, membershipId, scope: 'openid' });
const ctx: Ctx = { requestId: 'fill', remoteAddress: '', userAgent: '', actor };
const starts = Array.from({ length: Math.ceil(Number(count) / TOGETHER) }, (_, index) => index * TOGETHER + 1);
await Promise.all(Array.from({ length: LANES }, fillLane));
await closeDb();

async function fillLane(): Promise<void> {
  for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
    const end = Math.min(start + TOGETHER - 1, Number(count));
    const numbers = Array.from({ length: end - start! + 1 }, (_, index) => start! + index);
    await write(ctx, (_, inside) =>
      Promise.all(numbers.map((number) => inviteMember(inside, projectId, inviteOf(number)))),
    );
  }
}

function inviteOf(number: number) {
  const name = String(number).padStart(5, '0');
  return inviteRequest.parse({
    resourceType: number % 4 === 0 ? 'Patient' : 'Practitioner',
    firstName: 'Row',
    lastName: name,
    email: `row-${name}-${projectId}@example.com`,
    sendEmail: false,
  });
}
