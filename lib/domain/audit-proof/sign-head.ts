import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { db } from '#lib/infra/db/client.ts';
import { auditHead } from '#lib/infra/db/schema/audit-chain.ts';
import type { SignedHead } from '#lib/protocol/answers/audit.ts';
import { HEAD_TYPE, type Head } from '#lib/protocol/audit/chain.ts';
import { signingKeys } from '../signing/signing-keys.ts';
import { toJws } from '../signing/to-jws.ts';
import { keepKey } from './keep-key.ts';

type Found = {
  seq: string;
  hash: string;
  start_seq: string;
  start_hash: string;
  jws: string | null;
  at: string | null;
};

/** Where the chain of a project stands now, signed, and kept beside it. The one of before where it stands there still; undefined for an empty chain. */
export async function signHead(projectId: string): Promise<SignedHead | undefined> {
  const [found] = await db().execute<Found>(sql`
    select c.seq, c.hash, c.start_seq, c.start_hash, h.jws, h.at from audit_chain c
    left join audit_head h on h.project_id = ${projectId} and h.seq = c.seq
    where c.project_id = ${projectId} and c.seq > 0`);
  if (!found) return undefined;
  const start = { seq: Number(found.start_seq), hash: found.start_hash };
  const seq = Number(found.seq);
  if (found.jws && found.at && startOf(found.jws) === start.seq) {
    return { seq, at: new Date(found.at).toISOString(), jws: found.jws };
  }
  const at = new Date();
  const [key] = await signingKeys();
  await keepKey(key);
  const iat = Math.floor(at.getTime() / 1000);
  const head: Head = { iss: env().BASE_URL, project: projectId, seq, hash: found.hash, start, iat };
  const row = { projectId, seq, at, jws: toJws(key, head, HEAD_TYPE) };
  await db()
    .insert(auditHead)
    .values(row)
    .onConflictDoUpdate({ target: [auditHead.projectId, auditHead.seq], set: { at, jws: row.jws } });
  return { seq, at: at.toISOString(), jws: row.jws };
}

function startOf(jws: string): number {
  const [, payload = ''] = jws.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as Head).start.seq;
}
