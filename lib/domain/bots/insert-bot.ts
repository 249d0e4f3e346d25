import { newId } from '#lib/base/ids.ts';
import { readEventAttempts } from '#lib/protocol/bots/event-attempts.ts';
import { readWebhookSignature } from '#lib/protocol/bots/webhook-signature.ts';
import type { Bot, Reference } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { settleSchedule } from '../bot-events/settle-schedule.ts';
import type { Access } from '../memberships/default-access.ts';
import { insertMembership } from '../memberships/insert-membership.ts';
import { requirePolicies } from '../memberships/require-policies.ts';
import { createRow } from '../store/create-row.ts';
import { requireValid } from '../store/require-valid.ts';
import type { Row } from '../store/row.ts';

/** What a new bot starts with. */
export const SOURCE_TEMPLATE = `import { BotEvent, MedplumClient } from '@medplum/core';

export async function handler(medplum: MedplumClient, event: BotEvent): Promise<any> {
  // event.input is the request's body; what you return is the answer.
  return event.input;
}
`;

export type InsertBotOptions = {
  id?: string;
  author: string | undefined;
  invitedBy?: Reference;
  /** Without it, what a membership without a policy reaches. */
  access?: Access;
  /** The bot that it is a copy of. */
  copyOf?: string;
};

/** A Bot with its own membership to run under, in the caller's transaction: however it was asked for, it is never inert. */
export async function insertBot(w: Write, projectId: string, bot: Bot, options: InsertBotOptions): Promise<Row> {
  const { id = newId(), access = {}, copyOf } = options;
  const sourceCode = bot.sourceCode ?? {
    contentType: 'text/typescript',
    title: 'index.ts',
    data: Buffer.from(SOURCE_TEMPLATE).toString('base64'),
  };
  const resource: Bot = { ...bot, resourceType: 'Bot', sourceCode };
  requireValid(resource, 'Bot');
  readWebhookSignature(resource);
  readEventAttempts(resource);
  const row = await createRow(w, projectId, resource, { author: options.author, id });
  await settleSchedule(w, row);
  const self: Reference = { reference: `Bot/${id}`, ...(bot.name ? { display: bot.name } : {}) };
  await requirePolicies(w.tx, projectId, access);
  await insertMembership(
    w,
    projectId,
    {
      user: self,
      profile: self,
      invitedBy: options.invitedBy,
      ...access,
    },
    { author: options.author },
  );
  w.audit({
    projectId,
    action: 'bot.create',
    target: `Bot/${id}`,
    after: { name: bot.name, ...(copyOf && { copyOf }) },
  });
  return row;
}
