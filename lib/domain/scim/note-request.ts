import { and, eq, sql } from 'drizzle-orm';
import { gathering } from '#lib/base/gathering.ts';
import { log } from '#lib/base/log.ts';
import { db } from '#lib/infra/db/client.ts';
import { scimConnection, scimRequest, scimToken } from '#lib/infra/db/schema/scim.ts';
import type { Actor } from '../access/context.ts';

/** So many of a connection are kept. */
const KEPT_REQUESTS = 200;

type Entry = { at: Date; method: string; path: string; status: number; error: string | null };

/** Notes a request of a connection, beside it: nobody waits for it, and those of a tenth of a second are written at once. */
export function noteRequest(
  projectId: string,
  { connectionId, tokenId }: NonNullable<Actor['scim']>,
  entry: Entry,
): void {
  noteTogether(`${projectId}/${connectionId}`, { ...entry, tokenId }).catch((err: unknown) =>
    log.warn({ err }, 'a request of a directory was not noted'),
  );
}

type Noted = Entry & { tokenId: string };

const noteTogether = gathering(
  async (key: string, noted: Noted[]) => {
    const [projectId = '', connectionId = ''] = key.split('/');
    const all = noted.slice(-KEPT_REQUESTS);
    const at = all.at(-1)!.at;
    const [counted] = await db()
      .update(scimConnection)
      .set({ requests: sql`${scimConnection.requests} + ${all.length}`, lastUsedAt: at })
      .where(and(eq(scimConnection.projectId, projectId), eq(scimConnection.id, connectionId)))
      .returning({ requests: scimConnection.requests });
    if (!counted) return;
    const rows = all.map(({ tokenId: _, ...entry }, index) => {
      return { projectId, connectionId, slot: (counted.requests - all.length + index) % KEPT_REQUESTS, ...entry };
    });
    await db()
      .insert(scimRequest)
      .values(rows)
      .onConflictDoUpdate({
        target: [scimRequest.projectId, scimRequest.connectionId, scimRequest.slot],
        set: {
          at: sql`excluded.at`,
          method: sql`excluded.method`,
          path: sql`excluded.path`,
          status: sql`excluded.status`,
          error: sql`excluded.error`,
        },
      });
    for (const tokenId of new Set(all.map((entry) => entry.tokenId))) {
      await db()
        .update(scimToken)
        .set({ lastUsedAt: at })
        .where(and(eq(scimToken.projectId, projectId), eq(scimToken.id, tokenId)));
    }
  },
  { forMs: 100 },
);
