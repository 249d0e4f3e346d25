import { and, eq } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { db } from '#lib/infra/db/client.ts';
import { binaryContent } from '#lib/infra/db/schema/operations.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { type Row, toResource } from '../../store/row.ts';
import { readResource } from '../read-resource.ts';

export type Bytes = { row: Row; contentType: string; bytes: Buffer<ArrayBuffer> };

/** A Binary with its bytes. Who may not read its security context gets the same 404 as for none. */
export async function readBinary(ctx: Ctx, id: string): Promise<Bytes> {
  const row = await readResource(ctx, 'Binary', id);
  const { contentType, securityContext } = toResource<{ contentType: string; securityContext?: Reference }>(row);
  if (securityContext) await requireReadable(ctx, securityContext);
  const [content] = await db()
    .select({ data: binaryContent.data })
    .from(binaryContent)
    .where(and(eq(binaryContent.projectId, row.projectId), eq(binaryContent.id, row.id)));
  if (!content) throw notFound();
  return { row, contentType, bytes: Buffer.from(content.data) };
}

async function requireReadable(ctx: Ctx, { reference = '' }: Reference): Promise<void> {
  const parsed = parseReference(reference, fhirBase());
  if (parsed?.kind !== 'local') throw notFound();
  // Nothing of it is shown: it is no read for the audit.
  const unnoted = { ...ctx, actor: { ...requireActor(ctx), auditReads: false } };
  try {
    await readResource(unnoted, parsed.type, parsed.id);
  } catch (error) {
    throw error instanceof AppError ? notFound() : error;
  }
}
