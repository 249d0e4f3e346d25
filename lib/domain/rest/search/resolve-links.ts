import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { type Queryable, searches } from '#lib/infra/db/client.ts';
import { isCanonical, tokensReferringTo } from '#lib/protocol/fhir/index/reference-tokens.ts';
import { gated } from '#lib/protocol/fhir/search/gate.ts';
import { and, type Expr, type Link } from '#lib/protocol/fhir/search/ir.ts';
import { badParameter } from '#lib/protocol/fhir/search/values.ts';
import { type Actor, type Ctx, requireActor } from '../../access/context.ts';
import { gateOf } from '../../access/fields.ts';
import { mayReach, reach } from '../../access/policy.ts';
import { compileFilter, isSelective } from '../../store/compile-filter.ts';
import type { Dear } from '../../store/cost/foretell.ts';
import { requireRaised } from '../../store/indexes/raise-index.ts';
import { type Found, hasOneOf, isReferredBy, refersTo } from '../../store/links/compile-link.ts';
import { findFew, findReferred, findTargets, linkBounds, type OtherEnd, such } from '../../store/links/find-linked.ts';
import { connectionFor } from '../../store/planner/has-one-way.ts';
import { ruleOf } from '../type-rules.ts';
import { linkByName } from './link-by-name.ts';
import { resolveConcepts } from './resolve-concepts.ts';

/** A filter, and what cannot be one: conditions on other resources that are too many to be named; `dear`: those that are asked of each row. */
export type Resolved = { filter: Expr; also?: SQL; dear?: Dear };

type Place = { actor: Actor; tx: Queryable | undefined; type: string };

/**
 * What a search asks of other resources, and of codes that stand elsewhere, as a condition on its own rows. Each link is one statement, which finds the other end within what the
 * caller may search there (403 when that is nothing, as for such a search itself); where that is too much, or the search
 * has something better to begin with, each row is asked instead.
 */
export async function resolveLinks(
  ctx: Ctx,
  asked: { type: string; filter: Expr; linked: readonly Link[][] },
  within: Expr,
): Promise<Resolved> {
  const { type, filter: open, linked } = await resolveConcepts(ctx, asked);
  const place = { actor: requireActor(ctx), tx: ctx.write?.tx, type };
  const filter = await closed(place, open);
  if (linked.length === 0) return { filter };
  const found = await Promise.all(linked.map((links) => anyOf(place, links, isSelective(and([within, filter])))));
  const exprs = found.flatMap((one) => ('expr' in one ? [one.expr] : []));
  const resolved = and([filter, ...exprs]);
  const led = isSelective(and([within, resolved]));
  const others = found.flatMap((one) => ('linked' in one ? [led ? one.linked.probes : one.linked.leads] : []));
  if (others.length === 0) return { filter: resolved };
  const dear = linked.filter((_, at) => found[at] && 'linked' in found[at] && !found[at].linked.isIndexed);
  return {
    filter: resolved,
    also: sql.join(others, sql.raw(' and ')),
    dear: dear.length > 0 ? dearOf(dear) : undefined,
  };
}

function dearOf(linked: readonly Link[][]): Dear {
  const links = linked.flat();
  return {
    names: [...new Set(links.map(({ name }) => name))],
    types: [...new Set(links.flatMap(typesOf))],
    isNested: links.some(({ condition }) => 'anyOf' in condition),
  };
}

function typesOf({ type, condition }: Link): string[] {
  return [type, ...('anyOf' in condition ? condition.anyOf.flatMap(typesOf) : [])];
}

/** The links within a filter, under `or` and `not`: there they can only be what they find. */
async function closed(place: Place, expr: Expr): Promise<Expr> {
  if (expr.op === 'not') return { op: 'not', arg: await closed(place, expr.arg) };
  if (expr.op === 'and' || expr.op === 'or') {
    const args: Expr[] = [];
    for (const arg of expr.args) args.push(await closed(place, arg));
    return { op: expr.op, args };
  }
  if (expr.op !== 'linked') return expr;
  const found = await anyOf(place, expr.links, false);
  if ('expr' in found) return found.expr;
  const { projectId } = place.actor;
  const ids =
    found.linked.isIndexed && (await findFew(place.tx ?? searches(), projectId, place.type, found.linked.leads));
  if (ids) return ids.length === 0 ? { op: 'none' } : { op: 'id', anyOf: ids };
  const text = `_filter: ${expr.links[0]?.name} finds too many to be asked for under or and not: narrow it, or let it stand by itself`;
  throw new AppError('too-costly', text, { expression: '_filter' });
}

async function anyOf(place: Place, links: readonly Link[], isLed: boolean): Promise<Found> {
  const may = links.length === 1 ? links : links.filter(({ type }) => mayReach(place.actor, type, 'search'));
  // Of a chain without a type, that the caller may search none of its types is said of the first.
  const found = await Promise.all((may.length > 0 ? may : links.slice(0, 1)).map((link) => one(place, link, isLed)));
  const exprs = found.flatMap((each) => ('expr' in each ? [each.expr] : []));
  const others = found.flatMap((each) => ('linked' in each ? [each.linked] : []));
  const expr = or(exprs);
  if (others.length === 0) return { expr };
  if (expr.op === 'none' && others.length === 1) return { linked: others[0]! };
  const { type, actor } = place;
  const asked = { projectId: actor.projectId, type, correlated: true };
  const either = (form: 'leads' | 'probes', walked: boolean) => {
    return sql`(${sql.join([compileFilter({ ...asked, walked }, expr), ...others.map((each) => each[form])], sql.raw(' or '))})`;
  };
  const isIndexed = others.every((each) => each.isIndexed) || undefined;
  return { linked: { leads: either('leads', false), probes: either('probes', true), isIndexed } };
}

async function one(place: Place, link: Link, isLed: boolean): Promise<Found> {
  const { actor, type } = place;
  const visible = link.way === 'to' ? gateOf(actor)?.(type, link.param) : undefined;
  const found = await open(place, link, isLed);
  if (!visible) return found;
  if ('expr' in found) return { expr: and([visible, found.expr]) };
  const seen = compileFilter({ projectId: actor.projectId, type, correlated: true }, visible);
  const { leads, probes, isIndexed } = found.linked;
  return { linked: { leads: sql`(${leads} and ${seen})`, probes: sql`(${probes} and ${seen})`, isIndexed } };
}

async function open(place: Place, link: Link, isLed: boolean): Promise<Found> {
  const { actor, tx, type } = place;
  const { projectId } = actor;
  const { elsewhere, closed } = ruleOf(link.type);
  if (elsewhere || closed?.search) throw badParameter(link.name, `${link.name}: ${link.type} is not searched so`);
  const gate = gateOf(actor);
  const within = gated(
    reach(actor, link.type, 'search'),
    link.way === 'from' ? gate?.(link.type, link.param) : undefined,
    false,
  );
  const inner = 'filter' in link.condition ? { expr: link.condition.filter } : await further(place, link, within);
  const filter = 'expr' in inner ? and([within, inner.expr]) : within;
  if (filter.op === 'none') return { expr: filter };
  await requireRaised({ filter, sort: [] });
  const linked = 'linked' in inner ? inner.linked : undefined;
  const leads = isSelective(filter) ? linked?.probes : linked?.leads;
  const end: OtherEnd = { projectId, type: link.type, filter };
  const q = connectionFor(filter, tx);
  const isProbed = isLed && !isSelective(filter);
  if (isCanonical(link.param)) {
    return linkByName(q, type, { end, link, leads, probes: linked?.probes, isProbed });
  }
  if (link.way === 'to') {
    const ids = isProbed ? undefined : await findTargets(q, { ...end, also: leads });
    if (!ids) return probed(refersTo(such({ ...end, also: linked?.probes }), link.param));
    return byTokens(projectId, type, link, ids);
  }
  const ids = isProbed ? undefined : await findReferred(q, { ...end, also: leads }, link.param, type);
  if (!ids) return probed(isReferredBy(such({ ...end, also: linked?.probes }), link.param, type));
  return { expr: ids.length === 0 ? { op: 'none' } : { op: 'id', anyOf: ids } };
}

function further({ actor, tx }: Place, { type, condition }: Link, within: Expr): Promise<Found> {
  const links = 'anyOf' in condition ? condition.anyOf : [];
  return anyOf({ actor, tx, type }, links, isSelective(within));
}

function byTokens(projectId: string, type: string, { param, type: target }: Link, ids: string[]): Found {
  const base = fhirBase();
  const tokens = ids.flatMap((id) => tokensReferringTo(param, projectId, { type: target, id }, base));
  if (tokens.length === 0) return { expr: { op: 'none' } };
  if (tokens.length <= linkBounds.tokens) return { expr: { op: 'token', anyOf: tokens, selective: true } };
  return { linked: hasOneOf(projectId, type, tokens) };
}

function probed(condition: SQL): Found {
  return { linked: { leads: condition, probes: condition } };
}

function or(args: Expr[]): Expr {
  const found = args.filter(({ op }) => op !== 'none');
  return found.length > 1 ? { op: 'or', args: found } : (found[0] ?? { op: 'none' });
}
