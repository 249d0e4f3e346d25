import { readEventAttempts } from '#lib/protocol/bots/event-attempts.ts';
import { readWebhookSignature } from '#lib/protocol/bots/webhook-signature.ts';
import type { Bot, Resource } from '#lib/protocol/fhir/types.ts';
import { botTag } from '../../access/cache-tags.ts';
import { type Actor, type Ctx, requireProjectAdmin, type Write } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { settleSchedule } from '../../bot-events/settle-schedule.ts';
import { dropSamples } from '../../bot-samples/sample-rows.ts';
import { deleteDeployment } from '../../bots/delete-deployment.ts';
import { insertBot } from '../../bots/insert-bot.ts';
import { followName } from '../../memberships/follow-name.ts';
import { lockAdmins } from '../../memberships/guard-admins.ts';
import { shareProject } from '../../memberships/share-project.ts';
import { dropAlert } from '../../run-log/alerts/alert-rows.ts';
import { type Row, toResource } from '../../store/row.ts';
import type { Made, ResourceChange, TypeRule } from '../type-rule.ts';
import { keepStored } from './keep-stored.ts';
import { endProgramMemberships } from './program.ts';

/** A bot has a membership to run under and a deployed version; its versions and runs stay when it goes. */
export const botRule: TypeRule = {
  create,
  prepare,
  changed,
  updated: followName,
  lockForDelete: lockAdmins,
  beforeDelete,
};

function create(ctx: Ctx, projectId: string, resource: Resource): Promise<Made> {
  const actor = requireProjectAdmin(ctx, projectId);
  const options = { author: actor.profile, invitedBy: { reference: actor.user } };
  return write(ctx, async (w) => {
    await shareProject(w.tx, projectId);
    return { row: await insertBot(w, projectId, resource as unknown as Bot, options) };
  });
}

async function changed(w: Write, row: Row): Promise<void> {
  w.invalidate(botTag(row.id));
  if (!row.deleted) {
    const bot = toResource<Bot>(row);
    readWebhookSignature(bot);
    readEventAttempts(bot);
  }
  await settleSchedule(w, row);
}

/** What runs is what was deployed. */
function prepare({ before, after }: ResourceChange): Resource {
  return before ? keepStored(before, after, ['executableCode']) : after;
}

async function beforeDelete(w: Write, row: Row, actor: Actor): Promise<void> {
  await endProgramMemberships(w, row, actor);
  await dropAlert(w.tx, row.projectId, row.id);
  await deleteDeployment(w.tx, row.projectId, row.id);
  await dropSamples(w.tx, row.projectId, row.id);
}
