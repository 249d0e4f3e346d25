import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import { conceptTokens } from '#lib/protocol/fhir/search/concepts.ts';
import type { Concepts, Expr, Link } from '#lib/protocol/fhir/search/ir.ts';
import { badParameter, type SearchValue } from '#lib/protocol/fhir/search/values.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { expand } from '../../terminology/expand.ts';
import { findRelated } from '../../terminology/find-related.ts';

type Asking = { filter: Expr; linked: readonly Link[][] };
type Code = { system: string; code: string };
type Job = { ctx: Ctx; asked: number; codes: number };

/** Of one search: each is looked up by statements of its own. */
const MOST_ASKED = 20;
/** Of one search, all together: each row that is looked at is compared with them. */
const MOST_CODES = 2000;

/**
 * The same search with the codes in it that stand elsewhere: in value sets and code systems that the caller may search. What is not known there, or
 * cannot be judged, is 400 or 422 naming the parameter, and too many codes are too-costly (400).
 */
export async function resolveConcepts<A extends Asking>(ctx: Ctx, asking: A): Promise<A> {
  const job: Job = { ctx, asked: 0, codes: 0 };
  return { ...asking, filter: await inFilter(job, asking.filter), linked: await inLinks(job, asking.linked) };
}

async function inFilter(job: Job, expr: Expr): Promise<Expr> {
  if (expr.op === 'concepts') return toTokens(job, expr.of);
  if (expr.op === 'linked') return { op: 'linked', links: (await inLinks(job, [expr.links]))[0]! };
  if (expr.op === 'not') return { op: 'not', arg: await inFilter(job, expr.arg) };
  if ((expr.op !== 'and' && expr.op !== 'or') || !expr.args.some(hasConcepts)) return expr;
  const args: Expr[] = [];
  for (const arg of expr.args) args.push(await inFilter(job, arg));
  return { op: expr.op, args };
}

function hasConcepts(expr: Expr): boolean {
  if (expr.op === 'not') return hasConcepts(expr.arg);
  return expr.op === 'and' || expr.op === 'or'
    ? expr.args.some(hasConcepts)
    : expr.op === 'concepts' || expr.op === 'linked';
}

async function inLinks(job: Job, linked: readonly Link[][]): Promise<Link[][]> {
  const found: Link[][] = [];
  for (const links of linked) {
    const resolved: Link[] = [];
    for (const link of links) {
      const { condition } = link;
      const inner =
        'filter' in condition
          ? { filter: await inFilter(job, condition.filter) }
          : { anyOf: (await inLinks(job, [condition.anyOf]))[0]! };
      resolved.push({ ...link, condition: inner });
    }
    found.push(resolved);
  }
  return found;
}

async function toTokens(job: Job, of: Concepts): Promise<Expr> {
  const { name, param, values } = of;
  job.asked += values.length;
  if (job.asked > MOST_ASKED)
    throw badParameter(
      name,
      `A search takes at most ${MOST_ASKED} value sets and codes with what lies above or below them`,
    );
  const codes: Code[] = [];
  for (const value of values) codes.push(...(await named(name, () => codesOf(job, of, value))));
  const anyOf = conceptTokens(param, requireActor(job.ctx).projectId, codes);
  return anyOf.length === 0 ? { op: 'none' } : { op: 'token', anyOf, selective: param.tokenClass === 'selective' };
}

async function codesOf(job: Job, { way, name }: Concepts, value: SearchValue): Promise<Code[]> {
  const { ctx } = job;
  const most = MOST_CODES - job.codes;
  const [system = '', code = ''] = value;
  const found =
    way === 'in'
      ? (await expand(ctx, toNamed(value.join('|')), { offset: 0, count: most + 1 })).contains
      : await findRelated(ctx, name, { way, system, code, most });
  if (found.length > most) {
    const text = `${name} means more than ${MOST_CODES} codes: name a smaller value set, or a code further down`;
    throw new AppError('too-costly', text, { expression: name });
  }
  job.codes += found.length;
  return found;
}

/** A canonical, or a value set of this server by its id. */
function toNamed(text: string): { url: string } | { id: string } {
  const parsed = parseReference(text, fhirBase());
  return parsed?.kind === 'local' && parsed.type === 'ValueSet' ? { id: parsed.id } : { url: text };
}

/** What terminology refuses, said of the parameter: that something is not known there is no 404 of the search. */
async function named<T>(name: string, find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'forbidden') throw error;
    const code = error.code === 'not-found' ? 'invalid' : error.code;
    throw new AppError(code, error.message.startsWith(name) ? error.message : `${name}: ${error.message}`, {
      expression: name,
    });
  }
}
