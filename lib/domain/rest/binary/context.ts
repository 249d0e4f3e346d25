import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../../access/context.ts';
import { mayRead } from '../../store/links/within-context.ts';

const FIELD = 'Binary.securityContext';

/** X-Security-Context, as an element. */
export function toContext(header: string | null): Reference | undefined {
  return header === null ? undefined : { reference: header.trim() };
}

/**
 * Nobody puts bytes under what they cannot read themselves, and learns nothing by trying: 400 for what is not there, too. What the same transaction makes is
 * there when it is done.
 */
export async function requireOwnContext(ctx: Ctx, context: Reference | undefined): Promise<void> {
  if (context === undefined) return;
  const parsed = parseReference(context.reference ?? '', fhirBase());
  if (parsed?.kind !== 'local')
    throw new AppError('invalid', 'The security context must be Type/id', { expression: FIELD });
  if (ctx.making?.has(`${parsed.type}/${parsed.id}`) || (await mayRead(ctx, context))) return;
  throw new AppError('invalid', 'The security context must be a resource that you may read', { expression: FIELD });
}
