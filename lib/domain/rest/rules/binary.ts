import { and, eq } from 'drizzle-orm';
import { binaryContent } from '#lib/infra/db/schema/operations.ts';
import type { Reference, Resource } from '#lib/protocol/fhir/types.ts';
import type { Ctx, Write } from '../../access/context.ts';
import type { Row } from '../../store/row.ts';
import { storeBinary } from '../binary/store-binary.ts';
import type { Made, TypeRule } from '../type-rule.ts';

/** The bytes stand in a table of their own; the resource says what they are. Never changed: who refers to one refers to these bytes. */
export const binaryRule: TypeRule = {
  closed: { update: 'A Binary never changes: create another one' },
  create,
  beforeDelete: dropContent,
};

type Binary = { contentType: string; securityContext?: Reference; data?: string };

async function create(ctx: Ctx, projectId: string, resource: Resource): Promise<Made> {
  const { contentType, securityContext, data = '' } = resource as unknown as Binary;
  const bytes = Buffer.from(data, 'base64');
  return { row: await storeBinary(ctx, projectId, { contentType, securityContext, bytes }) };
}

async function dropContent(w: Write, { projectId, id }: Row): Promise<void> {
  await w.tx.delete(binaryContent).where(and(eq(binaryContent.projectId, projectId), eq(binaryContent.id, id)));
}
