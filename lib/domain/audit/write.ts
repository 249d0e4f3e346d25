import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { type Queryable, runText, runWrite, transaction } from '#lib/infra/db/client.ts';
import { retried, toAppError } from '#lib/infra/db/errors.ts';
import { dropLocally, publishInvalidations } from '#lib/infra/db/invalidation.ts';
import { together } from '#lib/infra/db/together.ts';
import { type AuditEntry, type Ctx, callerOf, type Standing, type Write } from '../access/context.ts';
import { openGrantOf } from '../access/glass.ts';
import { settle } from '../standing/settle.ts';
import { manyRows, toArrays } from './many-rows.ts';
import { sealSoon } from './seal-soon.ts';
import { tagged } from './tagged.ts';

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
  try {
    return await retried(() => writeOnce(ctx, run, options));
  } catch (error) {
    if (error instanceof Unchanged) return error.value as T;
    throw toAppError(error);
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
  let known: (() => Promise<void>) | undefined;
  const beside: unknown[][] = [];
  const entriesBeside: AuditEntry[] = [];
  let rows: unknown[][] = [];
  const result = await transaction(async (tx) => {
    const w: Write = {
      tx,
      depth: ctx.depth,
      actor: ctx.actor,
      audit: (entry) => entries.push(entry),
      auditBeside: (entry) => {
        const params = toRow(ctx, entry);
        beside.push(params);
        entriesBeside.push(entry);
        return { parts: BESIDE, params };
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
    if (entries.length + beside.length === 0) {
      if (!found.unchanged) throw new AppError('exception', 'A change without an audit entry');
      if (!notes) throw new Unchanged(value);
    }
    await w.settle();
    rows = entries.map((entry) => toRow(ctx, entry));
    await insertAudit(tx, rows);
    if (tags.size > 0) known = await publishInvalidations(tx, tags);
    return value;
  });
  sealAll([...beside, ...rows]);
  ctx.committed?.([...entriesBeside, ...entries]);
  dropLocally(tags);
  for (const callback of later) callback();
  await known?.();
  return result;
}

/** A change as parts of a WITH (`name as (insert …)`), with `$1` … for its parameters. */
export type Statement = { parts: string; params: readonly unknown[] };

/** `counted`: which of the parts it is to be told of how many rows it gave. */
type Counted = Statement & { counted?: string };

/**
 * One statement with its audit row, which PostgreSQL commits together without a transaction around it: for what is done all day long. Not
 * where a transaction is open already. Resolves to the rows of the part that is `counted`, if one is.
 */
export async function writeOne(ctx: Ctx, statement: Counted, entry: AuditEntry): Promise<number> {
  const { parts, params, counted } = statement;
  const row = toRow(ctx, entry);
  const told = counted === undefined ? '' : ` returning (select count(*)::int from ${counted}) as count`;
  const text = `with ${parts} ${INSERT} ${rowText(params.length)}${told}`;
  try {
    const all = [...params, ...row];
    const [answer] = await retried(() => runWrite<{ count?: number }>(text, all, counted !== undefined));
    sealAll([row]);
    return answer?.count ?? 0;
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
async function insertAudit(tx: Queryable, rows: unknown[][]): Promise<void> {
  const byProject = Map.groupBy(rows, ([projectId]) => projectId);
  await together(...[...byProject.values()].map((of) => insertOfProject(tx, of)));
}

async function insertOfProject(tx: Queryable, rows: unknown[][]): Promise<void> {
  if (rows.length > MOST_ROWS) return insertMany(tx, rows);
  const [first, ...more] = rows;
  if (first) await runText(tx, insertText(rows.length), [...first, ...more.flatMap(([, ...rest]) => rest)]);
}

/** Of one statement, whose text does not vary with how many there are. */
const MOST_TOGETHER = 1000;

async function insertMany(tx: Queryable, rows: unknown[][]): Promise<void> {
  for (let at = 0; at < rows.length; at += MOST_TOGETHER) {
    const some = rows.slice(at, at + MOST_TOGETHER);
    await runText(tx, manyRows(COLUMNS, 1), [some[0]![0], ...toArrays(COLUMNS, some)]);
  }
}

/** Rows that were committed: their chain is made beside (seal-soon.ts). */
export function sealAll(rows: readonly unknown[][]): void {
  for (const [projectId, id] of rows) sealSoon(String(projectId), String(id));
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
export const BESIDE = `audited as (${INSERT} ${rowText(15)})`;

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
    toJson(tagged(openGrantOf(actor), entry.after)),
  ];
}

function toJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
