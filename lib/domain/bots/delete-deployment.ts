import { and, eq } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { botDeployment } from '#lib/infra/db/schema/bots.ts';
import { dropBotSecrets } from '../bot-secrets/bot-secrets.ts';
import { dropCanary } from './canary/canary-rows.ts';
import { dropDraftFiles } from './draft/draft-rows.ts';

/** Nothing of the bot runs any more, and its secrets and the files of its draft are gone; its versions stay. */
export async function deleteDeployment(tx: Queryable, projectId: string, botId: string): Promise<void> {
  await tx.delete(botDeployment).where(and(eq(botDeployment.projectId, projectId), eq(botDeployment.botId, botId)));
  await dropCanary(tx, projectId, botId);
  await dropDraftFiles(tx, projectId, botId);
  await dropBotSecrets(tx, projectId, botId);
}
