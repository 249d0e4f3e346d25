import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { newId } from '#lib/base/ids.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { reach } from '../../access/policy.ts';
import type { Row } from '../../store/row.ts';
import { isResourceWithin } from '../../store/within-reach.ts';
import { storeBinary } from './store-binary.ts';

export type RawBinary = {
  contentType: string;
  /** `Type/id` of the resource whose readers may read the bytes (R4 Binary, X-Security-Context). */
  securityContext: string | undefined;
  bytes: Uint8Array;
};

/** A Binary from raw bytes. */
export async function createBinary(ctx: Ctx, { contentType, securityContext, bytes }: RawBinary): Promise<Row> {
  const actor = requireActor(ctx);
  const within = reach(actor, 'Binary', 'create');
  if (securityContext !== undefined && parseReference(securityContext, fhirBase())?.kind !== 'local') {
    throw new AppError('invalid', 'X-Security-Context must be Type/id', { expression: 'Binary.securityContext' });
  }
  const context = securityContext === undefined ? undefined : { reference: securityContext };
  const made = { resourceType: 'Binary', id: newId(), contentType, securityContext: context };
  if (!isResourceWithin(within, actor.projectId, made)) {
    throw new AppError('forbidden', 'Your access policy does not let you create this Binary');
  }
  return storeBinary(ctx, actor.projectId, { contentType, securityContext: context, bytes });
}
