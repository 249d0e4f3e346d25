import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { Interval } from '#lib/protocol/fhir/index/date-range.ts';
import type { Part } from '#lib/protocol/fhir/search/controls.ts';
import { resourceTypes, typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Actor, type Ctx, requireActor } from '../../access/context.ts';
import { mayReach, reach } from '../../access/policy.ts';
import { noteRead } from '../../audit/note-read.ts';
import type { Version } from '../../store/find-history.ts';
import { findChanges, placeOf } from '../../store/history/find-changes.ts';
import { PAGE_BYTES } from '../../store/page-weight.ts';
import { refuseClosed } from '../locate.ts';
import type { Shape } from '../search/search-resources.ts';
import { shownVersions } from '../shown.ts';
import { ruleOf } from '../type-rules.ts';
import { formatChangeCursor, parseChangeCursor } from './change-cursor.ts';
import { askForPart, toHistoryBundle, toHistoryEntry } from './history-entry.ts';
import { keepVisible, type Reaches, type Verdicts } from './keep-visible.ts';

export type ChangesQuery = {
  count: number;
  /** Inclusive. */
  since?: Date;
  /** Versions that were current at some time of it, and `text` as the caller said it. */
  at?: Interval & { text: string };
  cursor?: string;
  /** Of a history of all types: these alone. */
  types?: string[];
};

/**
 * The history of a type, or of all that the caller may see the history of (R4 http §3.1.0.15), as JSON text, newest first. A version is there if the
 * history of its own resource shows it. The total is told where one page holds all.
 */
export async function readChanges(
  ctx: Ctx,
  type: string | undefined,
  query: ChangesQuery,
  shape: Shape = { extended: false },
): Promise<string> {
  const actor = requireActor(ctx);
  const reaches = type === undefined ? reachesOf(actor, query.types) : reachesOf(actor, [type]);
  const { versions, next } = await findVisible(actor, reaches, query, ctx.write?.tx);
  for (const [each, found] of Map.groupBy(versions, (version) => version.type)) {
    noteRead(
      ctx,
      each,
      undefined,
      found.map(({ id }) => id),
    );
  }
  const seen = await shownVersions(actor, versions, 'unknown');
  const entries = seen.map((version) => toHistoryEntry(version, shape));
  const isWhole = query.cursor === undefined && next === undefined;
  return toHistoryBundle(entries, isWhole ? entries.length : undefined, links(type, query, { next, part: shape.part }));
}

/** Throws 404 for a type that is none, 403 for one that is named and closed to the caller, or when all are. */
function reachesOf(actor: Actor, named: readonly string[] | undefined): Reaches {
  if (named) return new Map(named.map((type) => [type, reachOf(actor, type)]));
  const types = resourceTypes().filter((type) => hasHistory(type) && mayReach(actor, type, 'history'));
  if (types.length === 0) throw new AppError('forbidden', 'Forbidden');
  return new Map(types.map((type) => [type, reach(actor, type, 'history')]));
}

function reachOf(actor: Actor, type: string) {
  typeId(type);
  refuseClosed(actor, type, 'history');
  const within = reach(actor, type, 'history');
  if (hasHistory(type)) return within;
  const headers = { allow: 'OPTIONS' };
  throw new AppError('method-not-allowed', `${type} has no history: nothing of it changes. Search it instead`, {
    headers,
  });
}

/** Whether its versions are kept where those of others are. */
export function hasHistory(type: string): boolean {
  return ruleOf(type).elsewhere === undefined && ruleOf(type).closed?.history === undefined;
}

type Visible = { versions: Version[]; next: string | undefined };

const BATCH = 200;
/** A page may hold less than was asked for: whoever sees little of a large project goes on where it ended. */
const MOST_LOOKED_AT = 2000;

/** `q`: the open transaction, whose own changes are there, too. */
async function findVisible(
  { projectId }: Actor,
  reaches: Reaches,
  query: ChangesQuery,
  q?: Queryable,
): Promise<Visible> {
  const { count, since, at } = query;
  const asked = { types: [...reaches.keys()], since, at };
  let after = query.cursor === undefined ? undefined : parseChangeCursor(query.cursor);
  const isAll = [...reaches.values()].every(({ op }) => op === 'all');
  const visible: Version[] = [];
  const verdicts: Verdicts = new Map();
  let bytes = 0;
  for (let looked = 0; ; ) {
    const { versions, more } = await findChanges(projectId, { ...asked, after, count: isAll ? count : BATCH }, q);
    for (const version of await keepVisible(projectId, reaches, versions, verdicts, q)) {
      if (visible.length === count || bytes >= PAGE_BYTES) return toPage(visible, visible.at(-1));
      visible.push(version);
      bytes += version.content?.length ?? 0;
    }
    looked += versions.length;
    const last = versions.at(-1);
    if (!more || !last) return { versions: visible, next: undefined };
    if (isAll || looked >= MOST_LOOKED_AT) return toPage(visible, last);
    after = placeOf(last);
  }
}

function toPage(versions: Version[], last: Version | undefined): Visible {
  return { versions, next: last && formatChangeCursor(placeOf(last)) };
}

type Found = { next: string | undefined; part: Part | undefined };

/** A place to go on from is not moved by what others write. */
function links(type: string | undefined, query: ChangesQuery, { next, part }: Found) {
  const { count, since, at, types, cursor } = query;
  const to = (relation: string, place: string | undefined) => {
    const params = new URLSearchParams({ _count: String(count) });
    if (types) params.set('_type', types.join(','));
    if (since) params.set('_since', since.toISOString());
    if (at) params.set('_at', at.text);
    askForPart(params, part);
    if (place !== undefined) params.set('_cursor', place);
    return { relation, url: `${fhirBase()}/${type === undefined ? '' : `${type}/`}_history?${params}` };
  };
  return [to('self', cursor), ...(next === undefined ? [] : [to('next', next)])];
}
