import { AppError, notFound } from '#lib/base/errors.ts';
import { askNow } from '#lib/infra/fhirpath/ask.ts';
import { applyOperation, whereOf } from '#lib/protocol/fhir/patch/apply-operation.ts';
import { invalid, readOperations } from '#lib/protocol/fhir/patch/read-operations.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { cloneJson } from '#lib/protocol/json/json.ts';
import { applyJsonPatch } from '#lib/protocol/json/json-patch.ts';
import { mayPlace } from '../access/accounts.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import { write } from '../audit/write.ts';
import { findRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { isWithin } from '../store/within-reach.ts';
import { changeResource, type Next } from './change-resource.ts';
import { type Budget, fhirPathBudget } from './constraints/fhirpath-budget.ts';
import { locate, refuseClosed } from './locate.ts';
import type { Preconditions } from './preconditions.ts';
import { findMatch } from './search/find-match.ts';
import { shown } from './shown.ts';
import { takeIn } from './take-in.ts';
import type { Written } from './written.ts';

/** What a patch cannot touch: the store gives these. */
const FORBIDDEN = ['/resourceType', '/id', '/meta/versionId', '/meta/lastUpdated'];

/** PATCH with the operations of a JSON Patch, which is a list, or of a FHIRPath Patch, which is Parameters: all or none, on the stored version, locked; the result is validated as a whole. */
export async function patchResource(
  ctx: Ctx,
  type: string,
  id: string,
  operations: unknown,
  given: Preconditions = {},
): Promise<Written> {
  const actor = requireActor(ctx);
  const foreseen = ctx.write || Array.isArray(operations) ? undefined : await foresee(actor, type, id, operations);
  return changeResource(ctx, type, id, given, patched(actor, operations, foreseen));
}

/** PATCH with a condition instead of an id: the one match; 404 for none, 412 for several. */
export async function patchMatching(
  ctx: Ctx,
  type: string,
  condition: string,
  operations: unknown,
  given: Preconditions = {},
): Promise<Written> {
  const actor = requireActor(ctx);
  typeId(type);
  refuseClosed(actor, type, 'update');
  reach(actor, type, 'update');
  return write<Written>(ctx, async (_, inner) => {
    const row = await findMatch(inner, type, condition);
    if (!row) throw notFound();
    return changeResource(inner, type, row.id, given, patched(actor, operations));
  });
}

/** On what the caller sees: a `test` operation must not find out what is hidden from them. */
function patched(actor: Actor, operations: unknown, foreseen?: Foreseen): Next {
  return async (current: Row, inner: Ctx) => {
    if (current.deleted) throw new AppError('gone', 'Deleted');
    const document = toResource(await shown(actor, current, inner.write?.tx));
    const next = Array.isArray(operations)
      ? applyJsonPatch(document, operations, { forbidden: FORBIDDEN })
      : foreseen?.version === current.version
        ? cloneJson(foreseen.next)
        : await applyFhirPathPatch(actor, document, operations, fhirPathBudget(inner));
    const taken = await takeIn(inner, current.type, next, current.id);
    // It has seen the accounts: what it leaves out it takes away.
    return mayPlace(actor) && !taken.meta?.accounts ? { ...taken, meta: { ...taken.meta, accounts: [] } } : taken;
  };
}

type Foreseen = { version: number; next: Resource };

/**
 * What becomes of the version that is stored now, before anything is locked: a thread that many wait for is asked, and no transaction waits with them.
 * Undefined where the caller is refused anyway, or the row is another by then: what is wrong is told in its turn.
 */
async function foresee(actor: Actor, type: string, id: string, patch: unknown): Promise<Foreseen | undefined> {
  typeId(type);
  await locate(actor, type, id, 'update');
  const { projectId, reach: readable } = await locate(actor, type, id, 'read');
  const row = isFhirId(id) ? await findRow(projectId, type, id) : undefined;
  if (!row || row.deleted || !(await isWithin(readable, row))) return undefined;
  try {
    const budget = fhirPathBudget({});
    const next = await applyFhirPathPatch(actor, toResource(await shown(actor, row)), patch, budget);
    return { version: row.version, next };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** One after the other, each on what those before it have left (R4 fhirpatch). `document` stays as it is. */
async function applyFhirPathPatch(
  { projectId }: Actor,
  document: Resource,
  patch: unknown,
  budget: Budget,
): Promise<Resource> {
  const next = cloneJson(document);
  for (const operation of readOperations(patch)) {
    const { expression } = whereOf(operation);
    const question = { at: [], path: document.resourceType, expression, wants: 'places' } as const;
    const begun = performance.now();
    const [places] =
      budget.leftMs > 0 ? await askNow(projectId, JSON.stringify(next), [question]) : ['unknown' as const];
    budget.leftMs -= performance.now() - begun;
    if (places === 'unknown') {
      const text = `Operation ${operation.at}: its path takes too long: make it simpler, or try again in a while`;
      throw new AppError('too-costly', text, { expression: `Parameters.parameter[${operation.at}]` });
    }
    if (typeof places !== 'object') throw invalid(operation.at, 'its path is no FHIRPath to elements of this resource');
    applyOperation(next, operation, places, FORBIDDEN);
  }
  return next;
}
