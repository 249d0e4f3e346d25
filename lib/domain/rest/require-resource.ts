import { AppError } from '#lib/base/errors.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { type Judged, judgeResource } from '#lib/protocol/fhir/validate/validate.ts';
import { PLATFORM_META } from '../store/row.ts';

/**
 * The body of a write as a valid resource of this type, with what the invariants say of it: 400 with one issue per fault. With `id`, the
 * body must carry that id (R4 http §3.1.0.4); without, its own id does not count.
 */
export function requireSound(type: string, body: unknown, id?: string): { resource: Resource; judged: Judged } {
  if (body === undefined) throw new AppError('structure', 'The body is empty: send a resource as JSON');
  const judged = judgeResource(type === 'Binary' ? withoutAddress(body) : body, type);
  if (judged.issues.length > 0) throw new AppError('structure', 'Invalid resource', { issues: judged.issues });
  const resource = (type === 'Binary' ? withoutAddress(body) : body) as Resource;
  if (id !== undefined && resource.id !== id) {
    const text = resource.id === undefined ? 'The body has no id' : 'The id in the body is not the id in the URL';
    throw new AppError('invalid', text, { expression: `${type}.id` });
  }
  refuseSubset(resource);
  return { resource: withoutPlatformMeta(resource), judged };
}

/** What we say of where its bytes are (`storeBinary`) comes back from who read it. */
function withoutAddress(body: unknown): unknown {
  const { url, ...binary } = (body ?? {}) as { id?: unknown; url?: unknown };
  return binary.id !== undefined && url === `Binary/${binary.id}` ? binary : body;
}

/** What the platform says of a resource is not the caller's to say: gone before anything judges, indexes or stores it. */
function withoutPlatformMeta(resource: Resource): Resource {
  const { meta, ...rest } = resource;
  const given = Object.entries(meta ?? {}).filter(([name]) => !PLATFORM_META.has(name.replace(/^_/, '')));
  return given.length === 0 ? rest : { ...resource, meta: Object.fromEntries(given) };
}

/** What `_summary` or `_elements` cut down would overwrite the rest (R4 search §3.1.1.6). */
function refuseSubset({ resourceType, meta }: Resource): void {
  if (!meta?.tag?.some((tag) => tag.code === 'SUBSETTED')) return;
  const text = 'This resource is incomplete (SUBSETTED): read it whole before changing it';
  throw new AppError('business-rule', text, { expression: `${resourceType}.meta.tag` });
}
