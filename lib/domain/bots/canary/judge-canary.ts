import { env } from '#lib/base/env.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { CanaryFigures } from '#lib/protocol/bots/canary.ts';
import type { Bot, Project } from '#lib/protocol/fhir/types.ts';
import { botTag } from '../../access/cache-tags.ts';
import type { Ctx, Write } from '../../access/context.ts';
import { findAdministrators } from '../../accounts/find-administrators.ts';
import { write } from '../../audit/write.ts';
import { findEach } from '../../store/find-row.ts';
import { toResource } from '../../store/row.ts';
import { type CanaryRow, closeCanary } from './canary-rows.ts';
import { failsMore } from './fails-more.ts';
import { tallyRuns } from './tally-runs.ts';

const CTX: Ctx = { requestId: 'bot-canary', remoteAddress: '', userAgent: '' };

/** Takes a version that is tried back when it fails more than the live one, and tells the administrators: one process of all does, once. */
export async function judgeCanary(projectId: string, botId: string, canaryId: string): Promise<void> {
  const figures = await tallyRuns(projectId, botId);
  if (!failsMore(figures)) return;
  await write(CTX, async (w) => {
    const canary = await closeCanary(w.tx, projectId, botId, { state: 'reverted', by: null, figures }, canaryId);
    if (!canary) return w.unchanged();
    w.invalidate(botTag(botId));
    const told = await tell(w, canary, figures);
    const after = { version: canary.number, ...figures, told };
    w.audit({ projectId, action: 'bot.canary.revert', target: `Bot/${botId}`, after });
  });
}

async function tell(w: Write, { projectId, botId, number, share }: CanaryRow, figures: CanaryFigures): Promise<number> {
  const [bot, project] = await findEach(
    projectId,
    [
      ['Bot', botId],
      ['Project', projectId],
    ],
    w.tx,
  );
  const { canary, live } = figures;
  const params = {
    botName: (bot && toResource<Bot>(bot).name) ?? 'a bot',
    projectName: (project && toResource<Project>(project).name) ?? 'your project',
    ...{ version: String(number), share: String(share), failed: String(canary.failed), runs: String(canary.runs) },
    ...{ liveFailed: String(live.failed), liveRuns: String(live.runs) },
    url: `${env().BASE_URL}/p/${projectId}/bots/${botId}`,
  };
  const recipients = await findAdministrators(w.tx, projectId);
  for (const recipient of recipients)
    await queueMail(w.tx, { projectId, template: 'bot-canary-reverted', recipient, params });
  return recipients.length;
}
