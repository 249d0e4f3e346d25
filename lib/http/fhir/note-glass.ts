import type { Ctx } from '#lib/domain/access/context.ts';
import { noteMiss } from '#lib/domain/audit/note-read.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';

const FHIR = '/fhir/R4/';
/** Those of which what failed was told by its entry. */
const told = new WeakSet<Request>();

/** Under emergency access what FHIR did not answer is noted, too: which record or type was asked for. */
export function noteGlass(ctx: Ctx, request: Request, status: number): void {
  if (!ctx.actor?.glass || told.has(request)) return;
  const { pathname } = new URL(request.url);
  if (`${pathname}/`.startsWith(FHIR)) noteGlassAt(ctx, pathname.slice(FHIR.length).split('/'), status);
}

/** The same of the entry by which a transaction failed: once for both. */
export function noteGlassFor(request: Request, ...asked: Parameters<typeof noteGlassAt>): void {
  told.add(request);
  noteGlassAt(...asked);
}

/** The same of an entry of a Bundle: `path`, below the base. */
export function noteGlassAt(ctx: Ctx, [type = '', id = '']: readonly string[], status: number): void {
  const { actor } = ctx;
  if (!actor?.glass) return;
  const target = !isResourceType(type) ? `Project/${actor.projectId}` : isFhirId(id) ? `${type}/${id}` : type;
  noteMiss(ctx, target, status);
}
