import { and, eq, sql } from 'drizzle-orm';
import { newId } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { botCanary, botVersion } from '#lib/infra/db/schema/bots.ts';
import type { CanaryFigures, CanaryState } from '#lib/protocol/bots/canary.ts';
import { type BotCode, toBotCode } from '../to-bot-code.ts';

export type CanaryRow = typeof botCanary.$inferSelect;
export type LoadedCanary = Pick<CanaryRow, 'id' | 'share'> & { code: BotCode };

/** Running or ended. */
export async function findCanary(
  projectId: string,
  botId: string,
  q: Queryable = db(),
): Promise<CanaryRow | undefined> {
  const [row] = await q.select().from(botCanary).where(of(projectId, botId));
  return row;
}

/** What runs on it, while it does. */
export async function findRunningCanary(projectId: string, botId: string): Promise<LoadedCanary | undefined> {
  const [found] = await db()
    .select({
      id: botCanary.id,
      share: botCanary.share,
      number: botVersion.number,
      bundle: botVersion.bundle,
      sourceMap: botVersion.sourceMap,
    })
    .from(botCanary)
    .innerJoin(
      botVersion,
      and(
        eq(botVersion.projectId, projectId),
        eq(botVersion.botId, botCanary.botId),
        eq(botVersion.number, botCanary.number),
      ),
    )
    .where(and(of(projectId, botId), eq(botCanary.state, 'running')));
  return found && { id: found.id, share: found.share, code: toBotCode(found) };
}

type Begun = Pick<CanaryRow, 'number' | 'share'> & { author: string };

/** In place of the one before. */
export async function placeCanary(tx: Queryable, projectId: string, botId: string, begun: Begun): Promise<void> {
  const row = { ...begun, id: newId(), state: 'running' as const, startedAt: new Date() };
  const ended = { endedAt: null, endedBy: null, figures: null };
  await tx
    .insert(botCanary)
    .values({ projectId, botId, ...row })
    .onConflictDoUpdate({ target: [botCanary.projectId, botCanary.botId], set: { ...row, ...ended } });
}

/** Of this one, which goes on. False where it has ended. */
export async function setShare(
  tx: Queryable,
  { projectId, botId, id }: Pick<CanaryRow, 'projectId' | 'botId' | 'id'>,
  share: number,
): Promise<boolean> {
  const changed = await tx
    .update(botCanary)
    .set({ share })
    .where(and(of(projectId, botId), eq(botCanary.id, id), eq(botCanary.state, 'running')))
    .returning({ id: botCanary.id });
  return changed.length > 0;
}

type End = { state: CanaryState; by: string | null; figures?: CanaryFigures };

/** Whether one ran, which has ended now. `id`: that one alone. */
export async function closeCanary(
  tx: Queryable,
  projectId: string,
  botId: string,
  { state, by, figures }: End,
  id?: string,
): Promise<CanaryRow | undefined> {
  const [row] = await tx
    .update(botCanary)
    .set({ state, endedAt: sql`now()`, endedBy: by, figures: figures ? JSON.stringify(figures) : null })
    .where(
      and(of(projectId, botId), eq(botCanary.state, 'running'), ...(id === undefined ? [] : [eq(botCanary.id, id)])),
    )
    .returning();
  return row;
}

/** Of a bot that is deleted. */
export async function dropCanary(tx: Queryable, projectId: string, botId: string): Promise<void> {
  await tx.delete(botCanary).where(of(projectId, botId));
}

function of(projectId: string, botId: string) {
  return and(eq(botCanary.projectId, projectId), eq(botCanary.botId, botId));
}
