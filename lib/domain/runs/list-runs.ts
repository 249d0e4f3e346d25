import { and, eq, getTableColumns, gt, lt, lte, or, sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { botRun } from '#lib/infra/db/schema/bots.ts';
import type { BotRun, BotRunPage } from '#lib/protocol/bots/bot-runs.ts';
import { formatCursor } from '#lib/protocol/cursor.ts';
import type { RunsQuery } from '#lib/protocol/requests/bot-console.ts';
import type { Ctx } from '../access/context.ts';
import { type Names, named, resolveNames } from '../audit/resolve-names.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';

/** What was logged is told of one run at a time. */
const { logs: _, ...COLUMNS } = getTableColumns(botRun);

/** Newest first; `next` is the cursor of the page after this one. Throws what `requireOwnBot` throws. */
export async function listRuns(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { status, cursor, _count: count }: RunsQuery,
): Promise<BotRunPage> {
  await requireOwnBot(ctx, projectId, botId);
  // The first of these is what the index begins at; the other two alone would be asked of every run from the newest on.
  const after =
    cursor && and(lte(botRun.startedAt, cursor.at), or(lt(botRun.startedAt, cursor.at), gt(botRun.id, cursor.id)));
  const found = await db()
    .select(COLUMNS)
    .from(botRun)
    .where(
      and(
        eq(botRun.projectId, projectId),
        eq(botRun.botId, botId),
        ...(status ? [eq(botRun.status, status)] : []),
        after,
      ),
    )
    // As the index has it.
    .orderBy(sql`${botRun.startedAt} desc nulls last`, botRun.id)
    .limit(count + 1);
  const rows = found.slice(0, count);
  const names = await resolveNames(
    projectId,
    rows.map((row) => row.requester),
  );
  const last = found.length > count ? rows.at(-1) : undefined;
  return {
    rows: rows.map((row) => toRun(row, names)),
    next: last ? formatCursor({ at: last.startedAt, id: last.id }) : null,
  };
}

export function toRun(row: Omit<typeof botRun.$inferSelect, 'logs'>, names: Names): BotRun {
  const { id, status, durationMs, version, trigger, message, requestId } = row;
  const requester = named(names, row.requester);
  return { id, at: row.startedAt.toISOString(), status, durationMs, version, trigger, requester, message, requestId };
}
