import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { db, runText, runWrite } from '#lib/infra/db/client.ts';
import { besideRehearsal } from '#lib/infra/db/rehearsing.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { type Ctx, callerOf } from '../access/context.ts';

const FLUSH_MS = 200;
const HOUR_MS = 3_600_000;
/** So many different refusals of a member in an hour are kept. */
const MOST_AN_HOUR = 100;
const MOST_WAITING = 5000;

/** The refusals of an hour, by member: nothing of what a caller repeats is written again. */
const known = new LRUCache<string, Set<string>>({ max: 20_000 });
type Waiting = { project_id: string; id: string; membership_id: string };
let waiting: Waiting[] = [];
let flushing: Promise<void> | undefined;

/**
 * A name for what a policy has refused, by which an administrator finds it for seven days; undefined for what is none, and once a member has been
 * refused too much of late. Equal refusals of an hour have one. Written a moment later, so that no answer waits for it.
 */
export function noteRefusal({ actor, requestId }: Ctx, { options, message }: AppError): string | undefined {
  const { refused } = options;
  if (!refused || !actor) return undefined;
  const { projectId, membershipId, profile } = actor;
  const caller = callerOf(actor);
  const at = new Date();
  const hour = Math.floor(at.getTime() / HOUR_MS);
  const { type, interaction, id: resourceId = null } = refused;
  const row = {
    ...{ membership_id: membershipId, profile, caller: actor.caller ? caller.profile : null },
    ...{ client_id: caller.clientId ?? null, scope: actor.policy.scope ? actor.scope.slice(0, 500) : '' },
    ...{ type, resource_id: resourceId, interaction, text: message.slice(0, 300) },
  };
  const id = toId(JSON.stringify([projectId, caller.membershipId, row, hour]));
  const key = `${hour}/${projectId}/${caller.membershipId}`;
  const of = known.get(key) ?? new Set();
  known.set(key, of);
  if (of.has(id)) return id;
  if (of.size >= MOST_AN_HOUR || waiting.length >= MOST_WAITING) return undefined;
  of.add(id);
  const more = { at, request_id: requestId };
  waiting.push({ project_id: projectId, id, ...more, ...row });
  flushing ??= besideRehearsal(flushSoon);
  return id;
}

/** Resolves when every refusal noted so far is in the database. */
export async function flushRefusals(): Promise<void> {
  while (flushing) await flushing;
}

/** A UUID of version 8 (RFC 9562): the same for what is the same. */
function toId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

async function flushSoon(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, FLUSH_MS));
  try {
    while (waiting.length > 0) {
      const projectId = waiting[0]!.project_id;
      const rows = waiting.filter((row) => row.project_id === projectId);
      const kept = await withinHour(projectId, rows);
      if (kept.length > 0) await runWrite(INSERT, [projectId, JSON.stringify(kept)]);
      const written = new Set(rows);
      waiting = waiting.filter((row) => !written.has(row));
    }
  } catch (error) {
    log.error({ err: error, rows: waiting.length }, 'refusals wait to be kept');
  } finally {
    flushing = undefined;
  }
}

const COLUMNS =
  'id, at, membership_id, profile, caller, client_id, scope, request_id, type, resource_id, interaction, text';
const INSERT = `insert into access_refusal (project_id, ${COLUMNS})
  select $1::uuid, ${COLUMNS} from jsonb_populate_recordset(null::access_refusal, $2::text::jsonb)
  on conflict (project_id, id) do nothing`;
const COUNT = `select membership_id as id, count(*)::int as count from access_refusal
  where project_id = $1 and membership_id = any($2::uuid[]) and at > now() - interval '1 hour' group by 1`;

/** Those of members who have not been refused so much by other processes, or before this one was started, that no more is kept. */
async function withinHour(projectId: string, rows: Waiting[]): Promise<Waiting[]> {
  const members = [...new Set(rows.map(({ membership_id }) => membership_id))];
  const counts = await runText<{ id: string; count: number }>(db(), COUNT, [projectId, toTextArray(members)]);
  const full = new Set(counts.flatMap(({ id, count }) => (count < 4 * MOST_AN_HOUR ? [] : [id])));
  return rows.filter(({ membership_id }) => !full.has(membership_id));
}
