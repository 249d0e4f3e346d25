import { hash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { botDraft } from '#lib/infra/db/schema/bots.ts';
import type { BotFile } from '#lib/protocol/bots/files.ts';

/** As a version keeps them: the same files are the same text. */
export function toFilesText(files: readonly BotFile[]): string {
  return JSON.stringify(files);
}

export function filesHash(text: string): string {
  return hash('sha256', text);
}

const ofBot = (projectId: string, botId: string) => and(eq(botDraft.projectId, projectId), eq(botDraft.botId, botId));

/** In place of those before. Under the bot's lock; resolves to the hash that its draft names them by. */
export async function keepDraftFiles(tx: Queryable, projectId: string, botId: string, files: string): Promise<string> {
  const kept = { files, filesHash: filesHash(files) };
  await tx
    .insert(botDraft)
    .values({ projectId, botId, ...kept })
    .onConflictDoUpdate({ target: [botDraft.projectId, botDraft.botId], set: kept });
  return kept.filesHash;
}

/** Undefined where those of this hash are not kept any more. */
export async function findDraftFiles(projectId: string, botId: string, named: string): Promise<string | undefined> {
  const [row] = await db()
    .select({ files: botDraft.files })
    .from(botDraft)
    .where(and(ofBot(projectId, botId), eq(botDraft.filesHash, named)));
  return row?.files;
}

export async function dropDraftFiles(tx: Queryable, projectId: string, botId: string): Promise<void> {
  await tx.delete(botDraft).where(ofBot(projectId, botId));
}
