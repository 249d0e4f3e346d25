import { newId } from '#lib/base/ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import type { Held } from '../../bytes/held.ts';
import { keepBytes } from '../../bytes/keep-bytes.ts';
import { createRow } from '../../store/create-row.ts';
import type { Row } from '../../store/row.ts';

/** Stores the Binary that describes bytes, with them. `url` is what the peer's client puts into an Attachment (contract §1.1 item 12). */
export async function storeBinary(ctx: Ctx, projectId: string, resource: Resource, held: Held): Promise<Row> {
  const id = newId();
  return write(ctx, async (w) => {
    const described = { ...resource, url: `Binary/${id}` };
    const row = await createRow(w, projectId, described, { author: ctx.actor?.profile, id });
    await keepBytes(w.tx, { projectId, id, since: row.version }, held);
    w.audit({ projectId, action: 'resource.create', target: `Binary/${id}` });
    return row;
  });
}
