import { type SQL, sql } from 'drizzle-orm';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { isUuid } from '#lib/base/ids.ts';
import { isAnyOf, isAnyUuidOf, toTextArray } from '#lib/infra/db/text-array.ts';
import { actionsWith, isSignIn } from '#lib/protocol/audit/event-codes.ts';
import { type EventSearch, readEventSearch } from '#lib/protocol/audit/read-event-search.ts';
import { OURSELVES, RUN } from '#lib/protocol/audit/to-audit-event.ts';
import { formatCursor } from '#lib/protocol/cursor.ts';
import { FIRST_INSTANT, LAST_INSTANT } from '#lib/protocol/fhir/index/date-range.ts';
import { foldString } from '#lib/protocol/fhir/index/normalize.ts';
import type { Expr, InstantRange } from '#lib/protocol/fhir/search/ir.ts';
import { badParameter } from '#lib/protocol/fhir/search/values.ts';
import { type Actor, type Ctx, requireActor } from '../../access/context.ts';
import { reach } from '../../access/policy.ts';
import { type AuditFilter, countAudit, type FoundAudit, findAudit } from '../../audit/find-audit.ts';
import { noteRead } from '../../audit/note-read.ts';
import { type Row, toWire } from '../../store/row.ts';
import { areWithin } from '../../store/within-reach.ts';
import { toSearchBundle } from '../search/search-bundle.ts';
import { toPart } from '../search/subset.ts';
import { seenBy, toEventRow } from './find-audit-event.ts';

/**
 * The audit log of the caller's project as a searchset Bundle, newest first. For whom the policy lets search AuditEvents; a parameter that is
 * not understood is 400.
 */
export async function searchAuditEvents(
  ctx: Ctx,
  params: readonly (readonly [string, string])[],
  extended: boolean,
): Promise<string> {
  const actor = requireActor(ctx);
  const within = reach(actor, 'AuditEvent', 'search');
  const search = readEventSearch(params, fhirBase());
  const filter = toFilter(actor, search);
  const { controls, self } = search;
  const wantsTotal = controls.total === 'accurate' || controls.summary === 'count' || controls.count === 0;
  if (wantsTotal && within.op !== 'all') throw badParameter('_total', 'Only who may see all of the log may count it');
  const isCounted = controls.count === 0 || controls.summary === 'count';
  const [total, { rows, next }] = await Promise.all([
    wantsTotal && filter ? countAudit(actor.projectId, filter) : undefined,
    filter && !isCounted ? findPage(actor, filter, within, controls.count) : NOTHING,
  ]);
  noteRead(ctx, 'AuditEvent');
  const write = (row: Row) => toPart(row.type, toWire(row, extended), controls);
  const entries = rows.map((row) => ({ type: row.type, id: row.id, resource: write(row), mode: 'match' as const }));
  const query = { ...controls, type: 'AuditEvent', filter: within, self };
  return toSearchBundle(query, { entries, total: total ?? (wantsTotal ? 0 : undefined), next, warnings: [] });
}

type Page = { rows: Row[]; next?: string };

const NOTHING: Page = { rows: [] };
/** Where a policy lets only some of them be seen, so many are looked at for one page: then it is short, and the next goes on. */
const LOOKED_AT = 2000;

async function findPage(actor: Actor, filter: AuditFilter, within: Expr, count: number): Promise<Page> {
  const isWhole = within.op === 'all';
  const found = await findAudit(actor.projectId, filter, isWhole ? count + 1 : LOOKED_AT);
  const rows: Row[] = [];
  const all = found.map((each) => toEventRow(actor.projectId, each));
  const visible = isWhole ? [] : await areWithin(within, all);
  for (const index of found.keys()) {
    if (rows.length === count) return { rows, next: cursorOf(found[index - 1]!) };
    if (isWhole || visible[index]) rows.push(all[index]!);
  }
  const isMore = !isWhole && found.length === LOOKED_AT;
  return { rows, ...(isMore && { next: cursorOf(found.at(-1)!) }) };
}

function cursorOf({ at, id }: FoundAudit): string {
  return formatCursor({ at: new Date(at), id });
}

const SIGNING_IN = actionsWith(({ type }) => isSignIn(type));

/** Undefined where nothing can match. */
function toFilter(actor: Actor, search: EventSearch): AuditFilter | undefined {
  const { actions, cursor, agents, entities, patients, outcomes, addresses, ids, times } = search;
  if (actions?.length === 0 || search.isEmpty) return undefined;
  const [actor_, target, behalf] = ['e.actor', 'e.target', 'e.on_behalf_of'].map((name) => sql.raw(name)) as [
    SQL,
    SQL,
    SQL,
  ];
  // Who signs in is nobody yet.
  const isOwn = sql`e.actor is null and ${isAnyOf(sql.raw('e.action'), SIGNING_IN)}`;
  const also = [
    ...seenBy(actor),
    ...agents.map(
      (any) => sql`${isAnyOf(actor_, any)} or ${isAnyOf(behalf, any)} or (${isOwn} and ${isAnyOf(target, any)})`,
    ),
    ...entities.map((any) => sql`${isAnyOf(target, any)} or ${isAnyOf(INPUT, any)}`),
    ...patients.map(
      (any) =>
        sql`${isAnyOf(target, any)} or ${isAnyOf(INPUT, any)} or ${isAnyOf(actor_, any)} or ${isAnyOf(behalf, any)}`,
    ),
    ...outcomes.map((any) => sql`e.outcome = any(${toTextArray(any.map(String))}::smallint[])`),
    ...addresses.map((any) => isAnyOf(sql.raw('e.remote_address'), any)),
    ...ids.map((any) => isAnyUuidOf(sql.raw('e.id'), any.filter(isUuid))),
    ...times.map(inAny),
    ...ofDetails(search, isOwn),
  ];
  return { also, ...(cursor && { cursor }), ...(actions && { action: actions.join(',') }) };
}

/** The resource that a run was given. */
const INPUT = sql`(case when e.action = ${RUN} and jsonb_typeof(e.after->'input') = 'string' then e.after->>'input' end)`;

/** What `toAuditEvent` makes of a row beside who and what. `isOwn`: who signs in is who is signed in. */
function ofDetails({ altIds, names, types, roles, sources }: EventSearch, isOwn: SQL): SQL[] {
  const typeOf = (reference: SQL) => sql`split_part(${reference}, '/', 1)`;
  const isRun = sql`e.action = ${RUN}`;
  const isOurs = sql`e.actor is null and e.remote_address is null and not (${isOwn} and e.target like '%/%' and e.target <> 'User/unknown')`;
  return [
    ...altIds.map((any) => isAnyUuidOf(sql.raw('e.actor_membership'), any.filter(isUuid))),
    ...names.map((any) => (any.some((text) => foldString(OURSELVES).startsWith(text)) ? isOurs : sql`false`)),
    ...types.map((any) => sql`${isAnyOf(typeOf(sql.raw('e.target')), any)} or ${isAnyOf(typeOf(INPUT), any)}`),
    ...roles.map((any) =>
      isAnyOf(sql`(case when ${typeOf(INPUT)} = 'Patient' then '1' when ${INPUT} is not null then '4' end)`, any),
    ),
    ...sources.map((any) => sql`${isRun} and ${isAnyOf(sql.raw('e.target'), any)}`),
  ];
}

/** Both ends are of the range; the log has milliseconds. One text for any number of ranges. */
function inAny(ranges: InstantRange[]): SQL {
  const bounds = ranges.map(({ from = FIRST_INSTANT, to = LAST_INSTANT }) => [from, to].map((at) => at.toISOString()));
  const [first] = bounds;
  if (first && bounds.length === 1) return sql`e.at between ${first[0]}::timestamptz and ${first[1]}::timestamptz`;
  const [lows, highs] = [0, 1].map((end) => toTextArray(bounds.map((range) => range[end]!)));
  return sql`exists (select from unnest(${lows}::timestamptz[], ${highs}::timestamptz[]) as r(lo, hi) where e.at between r.lo and r.hi)`;
}
