import type { Bot } from '#lib/protocol/fhir/types.ts';
import type { CreateBotRequest } from '#lib/protocol/requests/create-bot.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { shareProject } from '../memberships/share-project.ts';
import type { Row } from '../store/row.ts';
import { insertBot } from './insert-bot.ts';

/** POST /admin/projects/:id/bot: 403 unless the caller administers the project, 404 for a project that a super-admin names in vain. */
export async function createBot(ctx: Ctx, projectId: string, input: CreateBotRequest): Promise<Row> {
  const actor = requireProjectAdmin(ctx, projectId);
  const { accessPolicy, ...bot } = input;
  return write(ctx, async (w) => {
    await shareProject(w.tx, projectId);
    return insertBot(w, projectId, { resourceType: 'Bot', ...bot } as Bot, {
      author: actor.profile,
      invitedBy: { reference: actor.user },
      ...(accessPolicy && { access: { accessPolicy } }),
    });
  });
}
