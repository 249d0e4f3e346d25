import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { principalDate } from '#lib/protocol/fhir/index/search-params.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import { readsAny } from '#lib/protocol/fhir/search/gate.ts';
import { not } from '#lib/protocol/fhir/search/ir.ts';
import { isIdentityType } from '#lib/protocol/fhir/type-ids.ts';
import { type Actor, type Ctx, requireActor } from '../../access/context.ts';
import { visibleWhere } from '../../access/fields.ts';
import { mayReach, reach } from '../../access/policy.ts';
import { noteRead } from '../../audit/note-read.ts';
import { compileFilter } from '../../store/compile-filter.ts';
import { findNamed, findSeveral, type Part } from '../../store/links/find-several.ts';
import { PAGE_BYTES } from '../../store/page-weight.ts';
import { type Row, toWire } from '../../store/row.ts';
import { shownAll } from '../shown.ts';
import { ruleOf } from '../type-rules.ts';
import { compartmentTokens, inCompartment, type Owner, requireOwner, typesWithin } from './compartment.ts';
import { type BundleEntry, toSearchBundle } from './search-bundle.ts';
import type { Shape } from './search-resources.ts';
import { formatSpot, parseSpot } from './spots.ts';

/** `start`, `end`: when care was given, by the main date of each type; what has none is always there. `self`: as the caller gave them. */
export type EverythingPage = {
  count: number;
  cursor?: string;
  since?: Date;
  types?: string[];
  start?: Date;
  end?: Date;
  self: [string, string][];
};

/**
 * `$everything` of a patient or an encounter (R4 Patient-everything): what is in its compartment, newest first, page by page; and with each page
 * what that refers to elsewhere (practitioners, organizations, medications, …), and what these do, as far as the caller may search it.
 * A searchset Bundle as JSON text.
 */
export async function readEverything(
  ctx: Ctx,
  owner: Owner,
  page: EverythingPage,
  { extended }: Shape,
): Promise<string> {
  const actor = requireActor(ctx);
  const { projectId } = actor;
  await requireOwner(ctx, owner);
  noteRead(ctx, owner.type, owner.id);
  const within = typesWithin(owner);
  const parts = partsOf(actor, within, page).map((part) => {
    const filter = inCompartment(actor, owner, part.type, part.filter);
    const also = datedOf(actor, part.type, page);
    return { ...part, filter, ...(also && { also }), tokens: compartmentTokens(projectId, owner, part.type) };
  });
  const query = { projectId, parts, also: sinceOf(page), count: page.count, mostBytes: PAGE_BYTES };
  const after = page.cursor === undefined ? undefined : parseSpot(page.cursor, within);
  const tx = ctx.write?.tx;
  const found = parts.length === 0 ? NOTHING : await findSeveral({ ...query, after }, tx);
  const { next } = found;
  const rows = await shownAll(actor, found.rows, tx);
  const referred = await findReferred(ctx, actor, new Set(within), rows, page);
  for (const [type, each] of Map.groupBy([...rows, ...referred.rows], (row) => row.type)) {
    noteRead(
      ctx,
      type,
      undefined,
      each.map(({ id }) => id),
    );
  }
  const toEntry = (mode: BundleEntry['mode']) => (row: Row) => {
    return { type: row.type, id: row.id, resource: toWire(row, extended), mode };
  };
  const entries = [...rows.map(toEntry('match')), ...referred.rows.map(toEntry('include'))];
  const path = `${owner.type}/${owner.id}/$everything`;
  return toSearchBundle(
    { type: owner.type, path, self: page.self, count: page.count, offset: 0 },
    { entries, total: undefined, next: next && formatSpot(next), warnings: referred.warnings },
  );
}

const NOTHING = { rows: [], next: undefined };
/** What comes along with a page. */
const MAX_REFERRED = 1000;
/** What is referred to, and what that refers to: a role's organization. */
const ROUNDS = 2;

type Referred = { rows: Row[]; warnings: string[] };

/** Of types that the compartment itself can hold, what is not in it is somebody else's. */
async function findReferred(
  ctx: Ctx,
  actor: Actor,
  within: Set<string>,
  rows: Row[],
  page: EverythingPage,
): Promise<Referred> {
  const seen = new Set<string>();
  const found: Row[] = [];
  let from = rows;
  let isCut = false;
  for (let round = 0; round < ROUNDS && from.length > 0; round += 1) {
    const named = from.flatMap(referencesOf).filter(({ type, id }) => {
      const isWanted = !within.has(type) && !isIdentityType(type) && !seen.has(`${type}/${id}`);
      return isWanted && seen.add(`${type}/${id}`);
    });
    const names = named.slice(0, MAX_REFERRED - found.length);
    isCut ||= names.length < named.length;
    const parts = partsOf(actor, [...new Set(names.map(({ type }) => type))], page);
    if (parts.length === 0) break;
    const query = { projectId: actor.projectId, parts, also: sinceOf(page) };
    from = await shownAll(actor, await findNamed(query, names, ctx.write?.tx), ctx.write?.tx);
    found.push(...from);
  }
  const text = `This page brings along ${MAX_REFERRED} resources that it refers to, and there are more: ask for a smaller page`;
  return { rows: found, warnings: isCut ? [text] : [] };
}

/** A quotation mark within a text is escaped, so that no text reads like a reference. */
const REFERENCE = /"reference": ?"([^"\\]{1,2000})"/g;

function referencesOf({ content }: Row): { type: string; id: string }[] {
  return [...(content ?? '').matchAll(REFERENCE)].flatMap(([, text = '']) => {
    const parsed = parseReference(text, fhirBase());
    return parsed?.kind === 'local' ? [{ type: parsed.type, id: parsed.id }] : [];
  });
}

function partsOf(actor: Actor, types: readonly string[], { types: wanted }: EverythingPage): Part[] {
  return types
    .filter((type) => !ruleOf(type).elsewhere && !ruleOf(type).closed?.search)
    .filter((type) => (wanted?.includes(type) ?? true) && mayReach(actor, type, 'search'))
    .map((type) => ({ type, filter: reach(actor, type, 'search') }));
}

function sinceOf({ since }: EverythingPage): SQL | undefined {
  return since && sql`r.last_updated >= ${since.toISOString()}::timestamptz`;
}

/** Whose main date is that of a birth was not born while they were cared for. */
const UNDATED = ['Patient', 'Person', 'RelatedPerson', 'Practitioner'].filter(
  (type) => principalDate(type)?.code === 'birthdate',
);

/** Of a type; what has no date that the caller sees is always there. */
function datedOf(actor: Actor, type: string, { start, end }: EverythingPage): SQL | undefined {
  if (start && end && start > end) throw new AppError('invalid', 'start is after end', { expression: 'start' });
  const date = principalDate(type);
  if (!(start || end) || !date || UNDATED.includes(type)) return undefined;
  const visible = visibleWhere(actor, type, (names) => readsAny(date, names));
  const unseen = compileFilter({ projectId: actor.projectId, type, correlated: true }, not(visible));
  const conditions = [
    start && sql`r.sort_end >= ${start.toISOString()}::timestamptz`,
    end && sql`r.sort_date <= ${end.toISOString()}::timestamptz`,
  ].filter((each) => each !== undefined);
  return sql`(r.sort_date is null or (${sql.join(conditions, sql.raw(' and '))})${visible.op === 'all' ? sql`` : sql` or ${unseen}`})`;
}
