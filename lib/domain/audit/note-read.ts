import { newId } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { runWrite } from '#lib/infra/db/client.ts';
import { besideRehearsal } from '#lib/infra/db/rehearsing.ts';
import type { AuditAction } from '#lib/protocol/answers/audit-action.ts';
import { isIdentityType } from '#lib/protocol/fhir/type-ids.ts';
import { type Actor, type Ctx, callerOf } from '../access/context.ts';
import { openGrantOf } from '../access/glass.ts';
import { sealSoon } from './seal-soon.ts';
import { tagged } from './tagged.ts';

const FLUSH_MS = 200;
const BATCH = 1000;
/** Past this many unwritten rows the database is down: the oldest are dropped rather than memory, and the log says how many. */
const MOST_WAITING = 50_000;

let waiting: Record<string, unknown>[] = [];
let flushing: Promise<void> | undefined;
let dropped = 0;

/** Of the records that a page of a search showed, so many are named. */
const MOST_FOUND = 1000;

/**
 * Who read which record, or was shown which by a search of its type, and when: where the project has the setting `auditReads`. Never what was
 * searched for. Not of accounts, memberships, clients and the like: of these the console reads all the time. Under emergency access always, and of all,
 * with the grant. Written in batches a moment later, so that no read waits for its own row.
 */
export function noteRead(ctx: Ctx, type: string, id?: string, found: readonly string[] = []): void {
  const { actor } = ctx;
  const grant = openGrantOf(actor);
  if (!actor || (!grant && (!actor.auditReads || isIdentityType(type)))) return;
  const action = id === undefined ? 'resource.search' : 'resource.read';
  const after = found.length > 0 ? toFound(found) : undefined;
  note(ctx, actor, { action, target: id === undefined ? type : `${type}/${id}`, after: tagged(grant, after) });
}

/** What was asked for under emergency access and not given: of which record or type, as far as the request says. */
export function noteMiss(ctx: Ctx, target: string, status: number): void {
  const { actor } = ctx;
  const grant = openGrantOf(actor);
  if (!actor || !grant) return;
  note(ctx, actor, { action: 'break-glass.miss', target, outcome: status < 500 ? 4 : 8, after: tagged(grant) });
}

type Noted = { action: AuditAction; target: string; outcome?: number; after: object | undefined };

function note(ctx: Ctx, actor: Actor, { action, target, outcome = 0, after }: Noted): void {
  const caller = callerOf(actor);
  if (waiting.length >= MOST_WAITING) {
    waiting.shift();
    dropped += 1;
  }
  waiting.push({
    project_id: actor.projectId,
    id: newId(),
    at: new Date(),
    action,
    target,
    outcome,
    actor: caller.profile,
    actor_membership: caller.membershipId,
    login_id: caller.loginId ?? null,
    on_behalf_of: actor.caller ? actor.profile : null,
    request_id: ctx.requestId,
    remote_address: ctx.remoteAddress,
    after: after ?? null,
  });
  // Of a dry run, too: what it has read it has shown.
  flushing ??= besideRehearsal(flushSoon);
}

function toFound(ids: readonly string[]): object {
  const more = ids.length - MOST_FOUND;
  return { found: ids.slice(0, MOST_FOUND), ...(more > 0 && { more }) };
}

/** Resolves when every read noted so far is in the database. */
export async function flushReads(): Promise<void> {
  while (flushing) await flushing;
}

async function flushSoon(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, FLUSH_MS));
  try {
    while (waiting.length > 0) {
      const projectId = waiting[0]!.project_id;
      const rows = waiting.filter((row) => row.project_id === projectId).slice(0, BATCH);
      await runWrite(INSERT, [projectId, JSON.stringify(rows)]);
      for (const { project_id, id } of rows) sealSoon(String(project_id), String(id));
      // Only then: what fails is tried again with the next read.
      const written = new Set(rows);
      waiting = waiting.filter((row) => !written.has(row));
    }
    if (dropped > 0) log.error({ rows: dropped }, 'reads were not audited');
    dropped = 0;
  } catch (error) {
    log.error({ err: error, rows: waiting.length }, 'reads wait to be audited');
  } finally {
    flushing = undefined;
  }
}

const COLUMNS =
  'id, at, action, target, outcome, actor, actor_membership, login_id, on_behalf_of, request_id, remote_address, after';
/** One prepared statement for any number of rows of a project. */
const INSERT = `insert into audit_event (project_id, ${COLUMNS}) select $1::uuid, ${COLUMNS} from jsonb_populate_recordset(null::audit_event, $2::text::jsonb)`;
