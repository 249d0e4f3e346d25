import { newId } from '#lib/base/ids.ts';
import { binaryContent } from '#lib/infra/db/schema/operations.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { sourceHash } from '../../bots/source-hash.ts';
import { createRow } from '../../store/create-row.ts';
import type { Row } from '../../store/row.ts';

export type BinaryInput = { contentType: string; securityContext?: Reference; bytes: Uint8Array };

/** Stores bytes and the Binary that describes them. `url` is what the peer's client puts into an Attachment (contract §1.1 item 12). */
export async function storeBinary(ctx: Ctx, projectId: string, input: BinaryInput): Promise<Row> {
  const { contentType, securityContext, bytes } = input;
  const id = newId();
  const resource = { resourceType: 'Binary', contentType, securityContext, url: `Binary/${id}` };
  return write(ctx, async (w) => {
    const row = await createRow(w, projectId, resource, { author: ctx.actor?.profile, id });
    const data = Buffer.from(bytes);
    await w.tx.insert(binaryContent).values({ projectId, id, data, sourceHash: sourceHash(data) });
    w.audit({ projectId, action: 'resource.create', target: `Binary/${id}` });
    return row;
  });
}
