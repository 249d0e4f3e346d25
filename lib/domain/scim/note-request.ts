import { and, eq, sql } from 'drizzle-orm';
import { gathering } from '#lib/base/gathering.ts';
import { log } from '#lib/base/log.ts';
import { db, runWrite } from '#lib/infra/db/client.ts';
import { scimConnection, scimToken } from '#lib/infra/db/schema/scim.ts';
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

/** One text, however many come at once. */
const COLUMNS = ['slot', 'at', 'method', 'path', 'status', 'error'];
const INSERT = `
  insert into scim_request (project_id, connection_id, ${COLUMNS.join(', ')})
  select $1::uuid, $2::uuid, ${COLUMNS.join(', ')} from jsonb_populate_recordset(null::scim_request, $3::text::jsonb)
  on conflict (project_id, connection_id, slot) do update set
    ${COLUMNS.slice(1)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;

type Noted = Entry & { tokenId: string };

const noteTogether = gathering(
  async (key: string, noted: Noted[]) => {
    const [projectId = '', connectionId = ''] = key.split('/');
    const all = noted.slice(-KEPT_REQUESTS);
    const at = all.at(-1)!.at;
    const [counted] = await db()
      .update(scimConnection)
      .set({ requests: sql`${scimConnection.requests} + ${noted.length}`, lastUsedAt: at })
      .where(and(eq(scimConnection.projectId, projectId), eq(scimConnection.id, connectionId)))
      .returning({ requests: scimConnection.requests });
    if (!counted) return;
    const first = counted.requests - all.length;
    const rows = all.map(({ tokenId: _, ...entry }, index) => ({ ...entry, slot: (first + index) % KEPT_REQUESTS }));
    await runWrite(INSERT, [projectId, connectionId, JSON.stringify(rows)]);
    for (const tokenId of new Set(noted.map((entry) => entry.tokenId))) {
      await db()
        .update(scimToken)
        .set({ lastUsedAt: at })
        .where(and(eq(scimToken.projectId, projectId), eq(scimToken.id, tokenId)));
    }
  },
  { forMs: 100 },
);
