import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { takeTurns } from '#lib/base/turns.ts';
import { runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import { type Expr, evaluate, type Link } from '#lib/protocol/fhir/search/ir.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Actor, type Ctx, requireActor, type Write } from '../../access/context.ts';
import { gateOf } from '../../access/fields.ts';
import { reach } from '../../access/policy.ts';
import { knowParams } from '../../store/own-params/know-params.ts';
import { tellingProgress } from '../../store/own-params/parse-own.ts';
import { type Row, toResource } from '../../store/row.ts';
import { findByEachToken, searchRows } from '../../store/search-rows.ts';
import { conditionParams } from '../search/find-match.ts';
import { resolveLinks } from '../search/resolve-links.ts';
import { atStep } from './steps.ts';

export type Condition = { index: number; type: string; text: string };
/** `key`: what is the same for two conditions that mean the same. `linked`: what it asks of other resources. `rows`: two at most. */
export type Match = Condition & { key: string; filter: Expr; linked: readonly Link[][]; rows: Row[] };

type Inside = Ctx & { write: Write };

/** Of those that no identifier or the like tells, each is a search by itself. */
const MOST_SEARCHES = 200;
/** Of those that one does tell, so many are one search. */
const MOST_TOGETHER = 500;

/**
 * The resources that the conditions mean, as they are now, within what the caller may search (find-match.ts). `locked`: nobody else does
 * anything by such a condition until the commit; others are judged by what is written besides, and so cannot ask for what other resources are.
 * Conditions by identifier are one search for hundreds of them.
 */
export async function findMatches(ctx: Inside, conditions: readonly Condition[], locked: boolean): Promise<Match[]> {
  const actor = requireActor(ctx);
  const turn = takeTurns();
  const matches: Match[] = [];
  await knowParams(actor.projectId, ctx.write.tx);
  for (const condition of conditions) {
    await turn();
    const read = () => tellingProgress(actor.projectId, () => toMatch(actor, condition, locked));
    matches.push(await atStep(condition.index, read));
  }
  if (locked) await lockNames(ctx.write, [...new Set(matches.map(({ key }) => `condition:${key}`))].sort());
  const byKey = Map.groupBy(matches, ({ key }) => key);
  const wanted = [...byKey.values()].map(([match]) => match!);
  const told = Map.groupBy(wanted, ({ filter, linked }) => linked.length === 0 && tokensOf(filter).length > 0);
  for (const [type, some] of Map.groupBy(told.get(true) ?? [], ({ type }) => type)) {
    for (let at = 0; at < some.length; at += MOST_TOGETHER)
      await findTogether(ctx, type, some.slice(at, at + MOST_TOGETHER));
  }
  const others = told.get(false) ?? [];
  if (others.length > MOST_SEARCHES) {
    const text = `A transaction may have ${MOST_SEARCHES} conditions at most that are not by identifier`;
    throw new AppError('business-rule', text, { issues: [{ text, code: 'too-costly', expression: 'Bundle.entry' }] });
  }
  for (const match of others) await atStep(match.index, () => findAlone(ctx, match));
  for (const same of byKey.values()) for (const match of same) match.rows = same[0]!.rows;
  return matches;
}

function toMatch(actor: Actor, { index, type, text }: Condition, isLinking: boolean): Match {
  const { projectId } = actor;
  typeId(type);
  reach(actor, type, 'search');
  const params = conditionParams(type, text);
  const options = { baseUrl: fhirBase(), isLinking, gate: gateOf(actor) };
  const { filter, linked } = parseSearch(type, params, projectId, options);
  return { index, type, text, key: JSON.stringify([projectId, type, params.toSorted()]), filter, linked, rows: [] };
}

/** In their order, so that two transactions never wait for each other. */
async function lockNames(w: Write, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const text = 'select count(pg_advisory_xact_lock(hashtextextended(n, 0))) from unnest($1::text[]) as t(n)';
  await runText(w.tx, text, [toTextArray(names)]);
}

const JUDGED = new Set<Expr['op']>(['token', 'string', 'date', 'id', 'lastUpdated']);

/** The tokens of which a match must have one, where they leave few rows and all else of the condition can be judged by the row. */
function tokensOf(filter: Expr): bigint[] {
  if (filter.op === 'token') return filter.selective ? filter.anyOf : [];
  if (filter.op !== 'and' || filter.args.some(({ op }) => !JUDGED.has(op))) return [];
  const [first] = filter.args.filter((arg) => arg.op === 'token').filter(({ selective }) => selective);
  return first?.anyOf ?? [];
}

/** One more than tells that a condition is not of one resource. */
const MOST_OF_A_TOKEN = 3;

async function findTogether(ctx: Inside, type: string, matches: readonly Match[]): Promise<void> {
  const actor = requireActor(ctx);
  const { projectId } = actor;
  const within = reach(actor, type, 'search');
  const tokens = [...new Set(matches.flatMap(({ filter }) => tokensOf(filter)))];
  const found = await findByEachToken(projectId, { type, tokens, most: MOST_OF_A_TOKEN }, within, ctx.write.tx);
  const byToken = Map.groupBy(found, ({ at }) => tokens[at]!);
  const turn = takeTurns();
  for (const match of matches) {
    await turn();
    const some = tokensOf(match.filter).map((token) => byToken.get(token) ?? []);
    // There may be others, which fit what else it says.
    const isCut = match.filter.op !== 'token' && some.some((rows) => rows.length === MOST_OF_A_TOKEN);
    if (isCut) await findAlone(ctx, match);
    else
      match.rows = [...new Map(some.flat().map(({ row }) => [row.id, row])).values()].filter((row) => fits(match, row));
  }
}

function fits({ filter }: Match, row: Row): boolean {
  return filter.op === 'token' || evaluate(filter, extract(row.projectId, toResource(row), fhirBase()), row);
}

async function findAlone(ctx: Inside, match: Match): Promise<void> {
  const actor = requireActor(ctx);
  const { type } = match;
  const within = reach(actor, type, 'search');
  const query = { type, ...(await resolveLinks(ctx, match, within)), count: 2, offset: 0, sort: [] };
  match.rows = (await searchRows(actor.projectId, query, within, ctx.write.tx)).rows;
}
