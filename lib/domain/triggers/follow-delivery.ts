import type { Queryable } from '#lib/infra/db/client.ts';
import type { SettledMail } from '#lib/infra/mail/receive-delivery-event.ts';
import { readEventAttempts } from '#lib/protocol/bots/event-attempts.ts';
import { readBouncesBot } from '#lib/protocol/bots/mail-bounces.ts';
import type { Bot, Project } from '#lib/protocol/fhir/types.ts';
import { queueBotEvent } from '../bot-events/queue-bot-event.ts';
import { followMail } from '../standing/follow-mail.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

/**
 * What a mail's end brings about, in the transaction that notes it: an invitation stands otherwise, and the bot that the project's setting names is told of a bounce
 * or a complaint. Once for each mail and end, however often that is said. Throws 429 as `queueBotEvent` does, when all else is done: who tells us tells it again.
 */
export async function followDelivery(tx: Queryable, mail: SettledMail): Promise<void> {
  await followMail(tx, mail);
  const { projectId, id, state, template, recipient, membershipId, error } = mail;
  if (state !== 'bounced' && state !== 'complained') return;
  const row = await findRow(projectId, 'Project', projectId, tx);
  const botId = row && !row.deleted ? readBouncesBot(toResource<Project>(row).setting ?? []) : undefined;
  if (!botId) return;
  const value = {
    event: state,
    mail: { id, template, recipient },
    ...(membershipId && { membership: { reference: `ProjectMembership/${membershipId}` } }),
    reason: error,
  };
  const bot = await findRow(projectId, 'Bot', botId, tx);
  await queueBotEvent(tx, {
    projectId,
    botId,
    trigger: 'mail',
    key: `mail ${id} ${state}`,
    focus: `mail ${id}`,
    input: { event: { kind: 'json', value }, contentType: 'application/json', headers: {} },
    attempts: bot && !bot.deleted ? readEventAttempts(toResource<Bot>(bot)) : 1,
  });
}
