import { asc, eq, sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { hl7Feed } from '#lib/infra/db/schema/hl7.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { Hl7Feed, Hl7FeedList, Hl7Server } from '#lib/protocol/hl7/feeds/feed-answers.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { named, resolveNames } from '../audit/resolve-names.ts';
import { versionOf } from './feed-columns.ts';
import { type FeedRow, requireFeed } from './require-feed.ts';

/** Who listens says so more often than this. */
const SILENT_MS = 10_000;
const MOST_COUNTED = 1000;

/** The feeds of a project, by their names, with how they do just now; and what the server offers for them. Throws 403 and 404. */
export async function listFeeds(ctx: Ctx, projectId: string): Promise<Hl7FeedList> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const rows = await db()
    .select()
    .from(hl7Feed)
    .where(eq(hl7Feed.projectId, projectId))
    .orderBy(asc(hl7Feed.name), asc(hl7Feed.id));
  return { rows: await toFeeds(projectId, rows), server: offered() };
}

/** One of them. Throws 403 and 404. */
export async function readFeed(ctx: Ctx, projectId: string, feedId: string): Promise<Hl7Feed> {
  const [feed] = await toFeeds(projectId, [await requireFeed(ctx, projectId, feedId)]);
  return feed!;
}

async function toFeeds(projectId: string, rows: FeedRow[]): Promise<Hl7Feed[]> {
  const names = await resolveNames(
    projectId,
    rows.map(({ botId }) => `Bot/${botId}`),
  );
  return Promise.all(
    rows.map(async (row) => {
      const { id, name, port, tls, certificate, addresses, answer, active } = row;
      const { connections, received, repeated, refused, fault } = row;
      const listening = active && row.heardAt !== null && row.heardAt.getTime() > Date.now() - SILENT_MS;
      const bot = named(names, `Bot/${row.botId}`)!;
      return {
        ...{ id, name, bot, port, tls, answer, active },
        clientCertificate: certificate && toColons(certificate),
        allowedAddress: addresses,
        version: versionOf(row),
        createdAt: row.createdAt.toISOString(),
        state: {
          ...{ listening, connections: listening ? connections : 0, received, repeated, refused, fault },
          faultAt: row.faultAt?.toISOString() ?? null,
          ...(await countMessages(projectId, id)),
        },
      };
    }),
  );
}

type Counted = { last: string | null; waiting: number; failed: number };

async function countMessages(projectId: string, feedId: string) {
  const here = sql`m.project_id = ${projectId}::uuid and m.feed_id = ${feedId}::uuid`;
  const [row] = await db().execute<Counted>(sql`
    select (select m.received_at from hl7_message m where ${here} order by m.seq desc limit 1) as last,
      (select count(*)::int from hl7_message m where ${here} and m.state in ('waiting', 'running')) as waiting,
      (select count(*)::int from (select 1 from hl7_message m where ${here} and m.state = 'failed' limit ${MOST_COUNTED}) f) as failed`);
  const { last, waiting, failed } = row!;
  return { lastMessageAt: toInstant(last), waiting, failed };
}

function offered(): Hl7Server {
  const { MLLP_HOST, MLLP_PORTS, MLLP_TLS_PORT, MLLP_TLS_CERT } = env();
  return {
    host: MLLP_HOST,
    ports: MLLP_PORTS ?? null,
    tlsPort: MLLP_TLS_PORT ?? null,
    tls: MLLP_TLS_CERT !== undefined,
  };
}

/** As openssl prints it. */
function toColons(hex: string): string {
  return (hex.match(/../g) ?? []).join(':').toUpperCase();
}
