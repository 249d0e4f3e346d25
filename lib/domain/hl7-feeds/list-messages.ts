import { and, desc, eq, sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { hl7Message } from '#lib/infra/db/schema/hl7.ts';
import { maskRun } from '#lib/protocol/bots/masking/mask-run.ts';
import type { RevealRequest } from '#lib/protocol/bots/runs/run-requests.ts';
import { formatCursor } from '#lib/protocol/cursor.ts';
import type { Hl7MessageDetail, Hl7MessagePage, Hl7MessageRow } from '#lib/protocol/hl7/feeds/feed-answers.ts';
import type { MessagesQuery } from '#lib/protocol/hl7/feeds/feed-requests.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireReveal } from '../proofs/require-reveal.ts';
import { requireFeed } from './require-feed.ts';

const { id, seq, controlId, type, state, receivedAt, endedAt, tries, size } = hl7Message;
const ROW = { id, seq, controlId, type, state, receivedAt, endedAt, tries, size };

/** The newest first; nothing of what they say. Throws 403 and 404. */
export async function listMessages(
  ctx: Ctx,
  projectId: string,
  feedId: string,
  { state: wanted, cursor, _count: count }: MessagesQuery,
): Promise<Hl7MessagePage> {
  await requireFeed(ctx, projectId, feedId);
  const here = and(eq(hl7Message.projectId, projectId), eq(hl7Message.feedId, feedId));
  const after =
    cursor &&
    sql`${hl7Message.seq} < (select c.seq from hl7_message c where c.project_id = ${projectId}::uuid and c.id = ${cursor.id}::uuid)`;
  const found = await db()
    .select(ROW)
    .from(hl7Message)
    .where(and(here, wanted && eq(hl7Message.state, wanted), after))
    .orderBy(desc(hl7Message.seq))
    .limit(count + 1);
  const rows = found.slice(0, count);
  const last = found.length > count ? rows.at(-1) : undefined;
  return { rows: rows.map(toRow), next: last ? formatCursor({ at: last.receivedAt, id: last.id }) : null };
}

/** One without what identifies somebody, as runs are shown. Throws 403 and 404. */
export async function readMessage(
  ctx: Ctx,
  projectId: string,
  feedId: string,
  messageId: string,
): Promise<Hl7MessageDetail> {
  await requireFeed(ctx, projectId, feedId);
  const row = await findMessage(db(), projectId, feedId, messageId);
  const asContent = (text: string | null) => (text === null ? null : { kind: 'hl7' as const, text });
  const { input, output, mask } = maskRun({ input: asContent(row.text), output: asContent(row.answer) });
  const isKept = row.text !== null;
  return { ...toRow(row), isKept, text: input, answer: output, failure: row.failure && mask(row.failure) };
}

/** One with what it says, and in the audit log who looked at it and why. Throws 404, and what `requireReveal` throws. */
export async function revealMessage(
  ctx: Ctx,
  projectId: string,
  feedId: string,
  messageId: string,
  { reason }: RevealRequest,
): Promise<Hl7MessageDetail> {
  const { botId } = await requireFeed(ctx, projectId, feedId);
  await requireReveal(ctx, projectId);
  return write(ctx, async (w) => {
    const row = await findMessage(w.tx, projectId, feedId, messageId);
    const after = { feed: feedId, message: messageId, reason };
    w.audit({ projectId, action: 'hl7.message.read', target: `Bot/${botId}`, after });
    const { text, answer, failure } = row;
    return { ...toRow(row), isKept: text !== null, text, answer, failure };
  });
}

async function findMessage(q: Queryable, projectId: string, feedId: string, messageId: string) {
  if (!isUuid(messageId)) throw notFound();
  const [row] = await q
    .select()
    .from(hl7Message)
    .where(and(eq(hl7Message.projectId, projectId), eq(hl7Message.id, messageId), eq(hl7Message.feedId, feedId)));
  if (!row) throw notFound();
  return row;
}

type Row = Pick<typeof hl7Message.$inferSelect, keyof typeof ROW>;

function toRow(row: Row): Hl7MessageRow {
  return {
    id: row.id,
    controlId: row.controlId,
    type: row.type,
    state: row.state,
    receivedAt: row.receivedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    tries: row.tries,
    bytes: row.size,
  };
}
