import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { takeTurns } from '#lib/base/turns.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor, type Write } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import { findAnyDangling } from '../conformance/find-dangling.ts';
import { requireChangeable, requireWritable } from '../rest/change-resource.ts';
import { requireConstraints } from '../rest/constraints/require-constraints.ts';
import { mayChooseId } from '../rest/create-at.ts';
import { toNew } from '../rest/create-resource.ts';
import { refuseClosed } from '../rest/locate.ts';
import { createMany, updateMany } from '../rest/transaction/change-many.ts';
import { lockRows } from '../store/find-row.ts';
import type { Row } from '../store/row.ts';
import { requireUnerased } from '../store/update-row.ts';
import { changeable } from '../store/visible-row.ts';

type Inner = Ctx & { write: Write };
export type Given = { number: number; resource: Resource; id?: string };
/** Why lines are not stored, by their numbers. The others are. */
export type Faults = Map<number, AppError>;

/**
 * Lines of a type that adds no rules of its own, each with another id, some hundred in a few statements: those whose id is there as a PUT, the
 * others as creates. Throws where that does not work of all that seemed right: then they are done by themselves.
 */
export async function storeLines(ctx: Inner, type: string, lines: readonly Given[]): Promise<Faults> {
  const { projectId } = requireActor(ctx);
  const ids = lines.flatMap(({ id }) => (id !== undefined && isFhirId(id) ? [id] : []));
  const known = new Map(
    ids.length === 0 ? [] : (await lockRows(ctx.write.tx, projectId, type, ids)).map((row) => [row.id, row]),
  );
  const faults: Faults = new Map();
  const right: Given[] = [];
  const turn = takeTurns();
  for (const line of lines) {
    await turn();
    try {
      await requireStorable(ctx, line, line.id === undefined ? undefined : known.get(line.id));
      right.push(line);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      faults.set(line.number, error);
    }
  }
  const good = await referring(ctx, right, faults);
  const steps = good.map(({ resource, id = newId() }, index) => ({ index, type, id, resource, given: {} }));
  await createMany(
    ctx,
    steps.filter(({ id }) => !known.has(id)).map((step) => ({ ...step, verb: 'create' as const })),
  );
  await updateMany(
    ctx,
    steps.filter(({ id }) => known.has(id)).map((step) => ({ ...step, verb: 'update' as const })),
  );
  return faults;
}

/** Of one line, by itself: what createMany and updateMany would throw for all. */
async function requireStorable(ctx: Inner, { resource, id }: Given, current: Row | undefined): Promise<void> {
  const actor = requireActor(ctx);
  const { resourceType: type } = resource;
  refuseClosed(actor, type, current ? 'update' : 'create');
  if (!current) {
    if (id !== undefined && !(mayChooseId(actor, type) && isFhirId(id))) throw notOurs(type, id);
    await toNew(ctx, { ...resource, id: id ?? newId() });
    return;
  }
  requireUnerased(current);
  const writable = reach(actor, type, 'update');
  await requireChangeable(current, { readable: reach(actor, type, 'read'), writable }, {}, ctx.write.tx);
  const next = { ...(await changeable(actor, current, resource, ctx.write.tx)), id: current.id };
  await requireWritable(writable, actor.projectId, next, ctx.write.tx);
  return requireConstraints(ctx, 'update', { current, after: next });
}

/** Where the project lets nobody choose ids, a PUT to a free one is 404. */
export function notOurs(type: string, id: string): AppError {
  const text = `${type}/${id.slice(0, 64)} is not there: a new resource gets its id from us, unless the project’s setting updateCreate says otherwise`;
  return new AppError('not-found', text, { expression: `${type}.id` });
}

/** Where the project wants references checked, those that refer to what is there, or to one of them that is stored. The others become faults. */
async function referring(ctx: Inner, lines: Given[], faults: Faults): Promise<Given[]> {
  const actor = requireActor(ctx);
  if (!actor.checksReferences) return lines;
  const resources = lines.map(({ resource }) => resource);
  const dangling = await findAnyDangling(actor, resources, ctx.write.tx, { most: Number.POSITIVE_INFINITY });
  const byLine = Map.groupBy(dangling, ({ of }) => of);
  let left = [...lines.keys()];
  const turn = takeTurns();
  for (;;) {
    await turn();
    const made = new Set(left.map((at) => `${lines[at]!.resource.resourceType}/${lines[at]!.id}`));
    const still = left.filter((at) => byLine.get(at)?.every(({ target }) => made.has(target)) ?? true);
    if (still.length === left.length) break;
    left = still;
  }
  const kept = new Set(left);
  for (const [at, line] of lines.entries()) {
    if (kept.has(at)) continue;
    const issues = byLine.get(at)!.map(({ issue }) => issue);
    faults.set(line.number, new AppError('invalid', 'The resource refers to what is not there', { issues }));
  }
  return left.map((at) => lines[at]!);
}
