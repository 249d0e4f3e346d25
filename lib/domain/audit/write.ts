import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { type Queryable, runText, runWrite, transaction } from '#lib/infra/db/client.ts';
import { isRetryable, toAppError } from '#lib/infra/db/errors.ts';
import { dropLocally, publishInvalidations } from '#lib/infra/db/invalidation.ts';
import { together } from '#lib/infra/db/together.ts';
import { type AuditEntry, type Ctx, callerOf, type Standing, type Write } from '../access/context.ts';
import { settle } from '../standing/settle.ts';

const MAX_TRIES = 4;

export type WriteOptions = {
  /** Of what is written besides only the caller's own notes on its work: they are kept also when nothing was changed. */
  notes?: boolean;
};

/**
 * Opens a transaction, or joins the one that `ctx` already carries, and commits its audit rows with it. Throws when a change left
 * none: a change without an audit row cannot commit. Deadlocks and serialisation failures are tried again, so `run` must not have
 * effects outside the transaction: those go to `afterCommit`.
 */
export async function write<T>(
  ctx: Ctx,
  run: (w: Write, ctx: Ctx & { write: Write }) => Promise<T>,
  options: WriteOptions = {},
): Promise<T> {
  if (ctx.write) return run(ctx.write, { ...ctx, write: ctx.write });
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeOnce(ctx, run, options);
    } catch (error) {
      if (error instanceof Unchanged) return error.value as T;
      if (attempt < MAX_TRIES && isRetryable(error)) continue;
      throw toAppError(error);
    }
  }
}

/** Carries a result out of a transaction that has nothing to write. */
class Unchanged extends Error {
  readonly value: unknown;

  constructor(value: unknown) {
    super('unchanged');
    this.value = value;
  }
}

async function writeOnce<T>(
  ctx: Ctx,
  run: (w: Write, ctx: Ctx & { write: Write }) => Promise<T>,
  { notes = false }: WriteOptions,
): Promise<T> {
  const found = { unchanged: false };
  const entries: AuditEntry[] = [];
  const tags = new Set<string>();
  const later: (() => void)[] = [];
  const told: Standing[] = [];
  let beside = 0;
  const result = await transaction(async (tx) => {
    const w: Write = {
      tx,
      actor: ctx.actor,
      audit: (entry) => entries.push(entry),
      auditBeside: (entry) => {
        beside += 1;
        return { parts: BESIDE, params: toRow(ctx, entry) };
      },
      unchanged: () => {
        found.unchanged = true;
      },
      invalidate: (tag) => tags.add(tag),
      afterCommit: (callback) => later.push(callback),
      stands: (of) => told.push(of),
      settle: () => settle(tx, told.splice(0)),
    };
    const value = await run(w, { ...ctx, write: w });
    if (entries.length + beside === 0) {
      if (!found.unchanged) throw new AppError('exception', 'A change without an audit entry');
      if (!notes) throw new Unchanged(value);
    }
    await w.settle();
    await insertAudit(tx, ctx, entries);
    if (tags.size > 0) await publishInvalidations(tx, tags);
    return value;
  });
  dropLocally(tags);
  for (const callback of later) callback();
  return result;
}

/** A change as parts of a WITH (`name as (insert …)`), with `$1` … for its parameters. */
export type Statement = { parts: string; params: readonly unknown[] };

/**
 * One statement with its audit row, which PostgreSQL commits together without a transaction around it: for what is done all day long. Not
 * where a transaction is open already.
 */
export async function writeOne(ctx: Ctx, { parts, params }: Statement, entry: AuditEntry): Promise<void> {
  try {
    await runWrite(`with ${parts} ${INSERT} ${rowText(params.length)}`, [...params, ...toRow(ctx, entry)]);
  } catch (error) {
    throw toAppError(error);
  }
}

export const COLUMNS = [
  'project_id',
  'id',
  'action',
  'target',
  'outcome',
  'actor',
  'actor_membership',
  'login_id',
  'on_behalf_of',
  'request_id',
  'remote_address',
  'before',
  'after',
] as const;
/** Statements are prepared by their text: of as many rows at most as there are texts. */
const MOST_ROWS = 16;

/** Every change passes here, so it is text: building it with Drizzle took longer than PostgreSQL needs to run it. */
async function insertAudit(tx: Queryable, ctx: Ctx, entries: AuditEntry[]): Promise<void> {
  const byProject = Map.groupBy(entries, ({ projectId }) => projectId);
  await together(...[...byProject.values()].map((of) => insertOfProject(tx, ctx, of)));
}

async function insertOfProject(tx: Queryable, ctx: Ctx, entries: AuditEntry[]): Promise<void> {
  for (let at = 0; at < entries.length; at += MOST_ROWS) {
    const [first, ...more] = entries.slice(at, at + MOST_ROWS).map((entry) => toRow(ctx, entry));
    if (first) await runText(tx, insertText(1 + more.length), [...first, ...more.flatMap(([, ...rest]) => rest)]);
  }
}

/** A row's parameters, but for the project. */
const OWN = COLUMNS.length - 1;
const texts: string[] = [];
const INSERT = `insert into audit_event (${COLUMNS.join(', ')}) values`;

function insertText(rows: number): string {
  texts[rows] ??= `${INSERT} ${Array.from({ length: rows }, (_, index) => rowText(index * OWN, '$1')).join(', ')}`;
  return texts[rows];
}

/** After the fifteen of a new row (store/statements.ts). Typed, since nothing else there says what they are. */
const BESIDE = `audited as (${INSERT} ${rowText(15)})`;

/** `before`: how many parameters the statement has besides. `project`: the one that further rows share. */
function rowText(before: number, project = `$${before + 1}`): string {
  return `(${[project, ...COLUMNS.slice(1).map((_, at) => `$${before + at + 2}`)].join(', ')})`;
}

/** In the order of COLUMNS. */
export function toRow({ actor, requestId, remoteAddress }: Ctx, entry: AuditEntry): unknown[] {
  const caller = actor && callerOf(actor);
  return [
    entry.projectId,
    newId(),
    entry.action,
    entry.target,
    entry.outcome ?? 0,
    caller?.profile ?? null,
    caller?.membershipId ?? null,
    caller?.loginId ?? null,
    actor?.caller ? actor.profile : null,
    requestId,
    remoteAddress,
    toJson(entry.before),
    toJson(entry.after),
  ];
}

function toJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
