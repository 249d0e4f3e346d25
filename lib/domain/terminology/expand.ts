import { AppError } from '#lib/base/errors.ts';
import { foldString } from '#lib/protocol/fhir/index/normalize.ts';
import { r4ValueSet } from '#lib/protocol/fhir/terminology/r4-system.ts';
import {
  type Filter,
  type Include,
  isOfHierarchy,
  readFilters,
  refused,
  requireProperties,
  type ValueSet,
} from '#lib/protocol/fhir/terminology/value-set.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { type FoundSystem, findSystem, type SystemName } from './find-concept.ts';
import { countConcepts, findConcepts, type Place } from './find-concepts.ts';
import { findOwnCode } from './find-own-code.ts';
import { findByUrls, findNamed, type Named, unknownSet } from './find-value-sets.ts';
import { systemIfKnown } from './system-if-known.ts';

export type Contained = { system: string; code: string; display?: string };
export type Asked = Place & { filter?: string };
export type Expansion = { valueSet: ValueSet; total: number; contains: Contained[] };

/** What is put together of several parts is held in memory, and bounded. */
const MOST_CODES = 20_000;
/** Of a value set with all that it names. */
const MOST_PARTS = 50;
const MOST_DEPTH = 8;

/** Codes by system and code; `only`: what is asked of, alone. */
type Codes = Map<string, Contained>;
type Own = Extract<FoundSystem, { id: string }>;
type Listed = NonNullable<Include['concept']>;
type Job = { ctx: Ctx; only?: string; parts: number; systems: Map<string, ReturnType<typeof findSystem>> };

/**
 * A page of the codes of a value set (R4 ValueSet-expand). One that is all of a system, or what filters leave of it, is paged by the database; others
 * are put together here. 404 for a value set or code system that is not known, 422 for what is not judged, 400 too-costly.
 */
export async function expand(ctx: Ctx, named: Named, asked: Asked): Promise<Expansion> {
  const valueSet = await load(ctx, named);
  const { include = [], exclude = [] } = valueSet.compose ?? {};
  const [first] = include;
  const isPlain = include.length === 1 && exclude.length === 0 && !first?.concept && !first?.valueSet;
  const job: Job = { ctx, parts: 0, systems: new Map() };
  const system = isPlain && first?.system !== undefined ? await systemOf(job, first) : undefined;
  if (first && system && 'id' in system) {
    const { projectId } = requireActor(ctx);
    const filters = await inOwnCase(job, system, readFilters(first));
    const wanted = { projectId, systemId: system.id, filters, text: asked.filter };
    const rows = await findConcepts(wanted, asked, ctx.write?.tx);
    const total = await countConcepts(wanted, ctx.write?.tx);
    return { valueSet, total, contains: rows.map((row) => toContained(first.system ?? '', row)) };
  }
  const codes = [...(await codesOf(job, valueSet, [])).values()];
  const sought = asked.filter === undefined ? undefined : foldString(asked.filter);
  const fitting = sought
    ? codes.filter(({ code, display }) => foldString(`${code} ${display ?? ''}`).includes(sought))
    : codes;
  const contains = fitting.slice(asked.offset, asked.offset + asked.count);
  return { valueSet, total: fitting.length, contains };
}

/** What the value set has of this code, in whatever system. */
export async function findInSet(ctx: Ctx, named: Named, code: string): Promise<Contained[]> {
  const valueSet = await load(ctx, named);
  return [...(await codesOf({ ctx, only: code, parts: 0, systems: new Map() }, valueSet, [])).values()];
}

async function load(ctx: Ctx, named: Named): Promise<ValueSet> {
  const found = (await findNamed<ValueSet>(ctx, 'ValueSet', named)) ?? ('url' in named ? ofR4(named.url) : undefined);
  if (!found) throw unknownSet('url' in named ? named.url : named.id);
  return found;
}

function ofR4(url: string): ValueSet | undefined {
  const set = r4ValueSet(url.replace(/\|4\.0\.1$/, ''));
  if (!set) return undefined;
  const concept = [...set.codes].map((code) => ({ code }));
  return { resourceType: 'ValueSet', url, status: 'active', compose: { include: [{ system: set.system, concept }] } };
}

async function codesOf(job: Job, valueSet: ValueSet, path: readonly ValueSet[]): Promise<Codes> {
  const { include = [], exclude = [] } = valueSet.compose ?? {};
  if (include.length === 0) throw refused('no compose.include');
  if (path.length >= MOST_DEPTH) throw costly(`value sets within value sets, more than ${MOST_DEPTH} deep`);
  const codes: Codes = new Map();
  for (const part of include) {
    for (const [key, one] of await partOf(job, part, [...path, valueSet])) if (!codes.has(key)) codes.set(key, one);
    requireFew(codes.size);
  }
  for (const part of exclude)
    for (const key of (await partOf(job, part, [...path, valueSet])).keys()) codes.delete(key);
  return codes;
}

/** All that an include says must hold (R4 ValueSet §4.9.7). */
async function partOf(job: Job, part: Include, path: readonly ValueSet[]): Promise<Codes> {
  job.parts += 1;
  if (job.parts > MOST_PARTS) throw costly(`more than ${MOST_PARTS} parts`);
  const { system, valueSet: names = [] } = part;
  if (system === undefined && names.length === 0) throw refused('a part without system and value set');
  const sets: Codes[] = system === undefined ? [] : [await ofSystem(job, part, system)];
  const known = await findByUrls(job.ctx, 'ValueSet', names);
  for (const name of names) {
    const named = known.get(name) ?? ofR4(name);
    if (!named) throw unknownSet(name);
    if (path.some((each) => each.url === named.url))
      throw refused(`a value set that has itself: ${name}`.slice(0, 300));
    sets.push(await codesOf(job, named, path));
  }
  const [first = new Map<string, Contained>(), ...others] = sets;
  return new Map([...first].filter(([key]) => others.every((other) => other.has(key))));
}

async function ofSystem(job: Job, part: Include, system: string): Promise<Codes> {
  const { only, ctx } = job;
  if (part.concept) {
    const known = await systemIfKnown(systemOf(job, part));
    const folds = known !== undefined && 'folds' in known && known.folds;
    const key = folds ? folded : (code: string) => code;
    const isAsked = (code: string) => only === undefined || key(only) === key(code);
    const listed = part.concept.filter(({ code }) => code !== undefined && isAsked(code));
    requireFew(listed.length);
    const there = await thereOf(job, known, listed);
    return toCodes(
      there.map(({ code = '', display }) => toContained(system, { code, display: display ?? null })),
      folds,
    );
  }
  const filters = readFilters(part);
  const found = await systemOf(job, part);
  if ('codes' in found) {
    if (filters.length > 0) throw refused(`a filter of ${system}, whose concepts are not known here`.slice(0, 300));
    const codes = [...found.codes].filter((code) => only === undefined || only === code);
    return toCodes(codes.map((code) => ({ system, code })));
  }
  const { projectId } = requireActor(ctx);
  const q = ctx.write?.tx;
  const own = found.folds && only !== undefined ? await findOwnCode({ projectId, systemId: found.id }, only, q) : only;
  const codes = only === undefined ? undefined : [own ?? only];
  const wanted = { projectId, systemId: found.id, filters: await inOwnCase(job, found, filters), codes };
  const rows = await findConcepts(wanted, { offset: 0, count: MOST_CODES + 1 }, ctx.write?.tx);
  requireFew(rows.length);
  return toCodes(
    rows.map((row) => toContained(system, row)),
    found.folds,
  );
}

/** Throws 422 for a part of a hierarchy whose root is no code of the system: empty, it would look like an answer. */
async function requireRoots(job: Job, system: Own, filters: Filter[]): Promise<void> {
  if (!system.isComplete) return;
  const { projectId } = requireActor(job.ctx);
  for (const { op, v } of filters.filter(isOfHierarchy)) {
    const [root = ''] = v;
    const of = { projectId, systemId: system.id };
    const q = job.ctx.write?.tx;
    const [same] = await findConcepts({ ...of, filters: [], codes: [root] }, { offset: 0, count: 1 }, q);
    const found = same?.code ?? (system.folds ? await findOwnCode(of, root, q) : undefined);
    if (found === undefined) throw refused(`a filter ${op} ${root.slice(0, 80)}, and its system has no such code`);
  }
}

/** Of codes that are listed one by one those that are, with the system's words where the list has none: what a complete system lacks is no code. */
async function thereOf(job: Job, known: FoundSystem | undefined, listed: Listed): Promise<Listed> {
  if (!known || !('id' in known) || !known.isComplete || known.folds || listed.length === 0) return listed;
  const codes = listed.map(({ code = '' }) => code);
  const wanted = { projectId: requireActor(job.ctx).projectId, systemId: known.id, filters: [], codes };
  const rows = await findConcepts(wanted, { offset: 0, count: codes.length }, job.ctx.write?.tx);
  const own = new Map(rows.map(({ code, display }) => [code, display]));
  return listed
    .filter(({ code = '' }) => own.has(code))
    .map(({ code = '', display }) => ({ code, display: display ?? own.get(code) ?? undefined }));
}

/** Asked for once. */
function systemOf(
  { ctx, systems }: Job,
  { system: url, version }: SystemName & Include,
): ReturnType<typeof findSystem> {
  const key = `${url} ${version ?? ''}`;
  const found = systems.get(key) ?? findSystem(ctx, { url, version });
  systems.set(key, found);
  return found;
}

/** The codes in the filters as the system writes them. Throws 422 for a property that it has not. */
async function inOwnCase(job: Job, system: FoundSystem, filters: Filter[]): Promise<Filter[]> {
  if (!('id' in system)) return filters;
  requireProperties(filters, system.properties);
  await requireRoots(job, system, filters);
  if (!system.folds) return filters;
  const of = { projectId: requireActor(job.ctx).projectId, systemId: system.id };
  const written: Filter[] = [];
  for (const { p, op, v } of filters) {
    const isCodes = p === 'concept' || p === 'code' || p === 'parent' || p === 'child';
    if (isCodes) requireFewValues(v);
    const own: string[] = [];
    for (const one of v) own.push((isCodes ? await findOwnCode(of, one, job.ctx.write?.tx) : undefined) ?? one);
    written.push({ p, op, v: own });
  }
  return written;
}

function folded(code: string): string {
  return code.toLowerCase();
}

function toContained(system: string, { code, display }: { code: string; display: string | null }): Contained {
  return { system, code, ...(display !== null && { display }) };
}

/** `folds`: codes that differ in case alone are one. */
function toCodes(all: readonly Contained[], folds = false): Codes {
  return new Map(all.map((one) => [`${one.system} ${folds ? folded(one.code) : one.code}`, one]));
}

function requireFew(codes: number): void {
  if (codes > MOST_CODES) throw costly(`more than ${MOST_CODES} codes of several parts`);
}

/** Each is looked for by itself. */
function requireFewValues(values: readonly string[]): void {
  if (values.length > MOST_PARTS)
    throw costly(`a filter with more than ${MOST_PARTS} codes of a system that ignores case`);
}

function costly(what: string): AppError {
  return new AppError('too-costly', `The value set is too costly to expand: it has ${what}`, { expression: 'url' });
}
