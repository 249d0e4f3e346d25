import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { runText } from '#lib/infra/db/client.ts';
import type { Bot, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { DuplicateBotRequest } from '#lib/protocol/requests/bot-console.ts';
import { type Ctx, requireProjectAdmin, type Write } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import type { Access } from '../../memberships/default-access.ts';
import { shareProject } from '../../memberships/share-project.ts';
import { shareRow } from '../../store/find-row.ts';
import { type Row, toResource } from '../../store/row.ts';
import { insertBot } from '../insert-bot.ts';
import { readSource } from '../read-source.ts';
import { toFilesText } from './draft-rows.ts';
import { toSourceCode } from './source-code.ts';

/**
 * Another bot with the same source, its files, how it runs, and the same access; nothing of it is live. What makes a bot run (identifiers, times, webhooks,
 * subscriptions) and its secrets, samples and versions stay with the first one. Throws 403, 404 and 410 as `requireOwnBot`, 409 for one without a membership.
 */
export async function duplicateBot(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { name }: DuplicateBotRequest,
): Promise<Row> {
  const actor = requireProjectAdmin(ctx, projectId);
  const { row, source } = await readSource(ctx, projectId, botId);
  const { description, category, timeout, rawBody, runAsUser, allowedHost, auditEventTrigger } = toResource<Bot>(row);
  return write(ctx, async (w) => {
    await shareProject(w.tx, projectId);
    const id = newId();
    const made = {
      ...{ resourceType: 'Bot', id, name, description, category },
      ...{ timeout, rawBody, runAsUser, allowedHost, auditEventTrigger },
    } as Bot & { id: string };
    const { code, filename, files } = source;
    const draft = { filename, source: code, files: files && toFilesText(files) };
    const sourceCode = await toSourceCode(w.tx, projectId, made, draft);
    const { id: _, ...bot } = JSON.parse(JSON.stringify({ ...made, sourceCode })) as Bot;
    return insertBot(w, projectId, bot as Bot, {
      ...{ id, author: actor.profile, invitedBy: { reference: actor.user }, copyOf: `Bot/${botId}` },
      access: await accessOf(w, projectId, botId),
    });
  });
}

async function accessOf({ tx }: Write, projectId: string, botId: string): Promise<Access> {
  const [key] = await runText<{ id: string }>(tx, KEY, [projectId, `Bot/${botId}`]);
  const row = key && (await shareRow(tx, projectId, 'ProjectMembership', key.id));
  // A copy that has no policy would have everything.
  if (!row || row.deleted)
    throw new AppError('conflict', 'The bot has no membership any more: what it may do is not known');
  const { accessPolicy, access } = toResource<ProjectMembership>(row);
  return { ...(accessPolicy && { accessPolicy }), ...(access && { access }) };
}

const KEY = `select membership_id::text as id from membership_key where project_id = $1 and user_ref = $2 and slot = ''`;
