import { and, count, desc, eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { botSecret } from '#lib/infra/db/schema/bots.ts';
import { ofProject } from '#lib/infra/db/server-role/of-project.ts';
import { MOST_OWN_SECRETS } from '#lib/protocol/bots/secrets.ts';
import type { ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { SEALED } from './sealed.ts';

const PURPOSE = SEALED.bot_secret.purpose;

type Sealed = { projectId: string; botId: string; secret: ProjectSetting };

/** In clear, for its runs alone. */
export async function loadBotSecrets(projectId: string, botId: string): Promise<ProjectSetting[]> {
  const rows = await ofProject(projectId, undefined, (tx) => tx.select().from(botSecret).where(of(projectId, botId)));
  return rows.map(open);
}

/** In clear, of all bots of the project, so many: to be looked for in what their runs leave. */
export async function findNewestSecrets(projectId: string, most: number): Promise<ProjectSetting[]> {
  const rows = await ofProject(projectId, undefined, (tx) =>
    tx
      .select()
      .from(botSecret)
      .where(eq(botSecret.projectId, projectId))
      .orderBy(desc(botSecret.updatedAt))
      .limit(most),
  );
  return rows.map(open);
}

/** Names, and when each was set. */
export async function findBotSecrets(projectId: string, botId: string): Promise<{ name: string; updatedAt: Date }[]> {
  return ofProject(projectId, undefined, (tx) =>
    tx
      .select({ name: botSecret.name, updatedAt: botSecret.updatedAt })
      .from(botSecret)
      .where(of(projectId, botId))
      .orderBy(botSecret.name),
  );
}

/** Saves them, those that are there already anew. Throws 422 where there are too many then. Under the bot's lock; the caller audits. */
export async function saveBotSecrets(
  tx: Queryable,
  projectId: string,
  botId: string,
  { secrets, expression }: { secrets: readonly ProjectSetting[]; expression: string },
): Promise<void> {
  for (const secret of secrets) await saveBotSecret(tx, projectId, botId, secret);
  const [row] = await ofProject(projectId, tx, (q) =>
    q.select({ count: count() }).from(botSecret).where(of(projectId, botId)),
  );
  if (row!.count > MOST_OWN_SECRETS)
    throw new AppError('business-rule', `A bot has at most ${MOST_OWN_SECRETS} secrets of its own`, { expression });
}

/** One row, new or not. It carries its bot and name, so that a row put elsewhere does not open. */
async function saveBotSecret(tx: Queryable, projectId: string, botId: string, secret: ProjectSetting): Promise<void> {
  const sealed: Sealed = { projectId, botId, secret };
  const valueSealed = seal(PURPOSE, JSON.stringify(sealed));
  const updatedAt = new Date();
  await ofProject(projectId, tx, (q) =>
    q
      .insert(botSecret)
      .values({ projectId, botId, name: secret.name, valueSealed, updatedAt })
      .onConflictDoUpdate({
        target: [botSecret.projectId, botSecret.botId, botSecret.name],
        set: { valueSealed, updatedAt },
      }),
  );
}

/** Whether there was one. */
export async function removeBotSecret(tx: Queryable, projectId: string, botId: string, name: string): Promise<boolean> {
  const gone = await ofProject(projectId, tx, (q) =>
    q
      .delete(botSecret)
      .where(and(of(projectId, botId), eq(botSecret.name, name)))
      .returning({ name: botSecret.name }),
  );
  return gone.length > 0;
}

/** Of a bot that is deleted. */
export async function dropBotSecrets(tx: Queryable, projectId: string, botId: string): Promise<void> {
  await ofProject(projectId, tx, (q) => q.delete(botSecret).where(of(projectId, botId)));
}

function open({ projectId, botId, name, valueSealed }: typeof botSecret.$inferSelect): ProjectSetting {
  const sealed = JSON.parse(unseal(PURPOSE, valueSealed)) as Sealed;
  if (sealed.projectId !== projectId || sealed.botId !== botId || sealed.secret.name !== name)
    throw new Error('A secret of a bot stands in the wrong row');
  return sealed.secret;
}

function of(projectId: string, botId: string) {
  return and(eq(botSecret.projectId, projectId), eq(botSecret.botId, botId));
}
