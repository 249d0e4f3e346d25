import { notFound } from '#lib/base/errors.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { noteRead } from '../audit/note-read.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import type { Row } from '../store/row.ts';
import { requireWithin } from '../store/within-reach.ts';
import { locate } from './locate.ts';
import { shown } from './shown.ts';
import { ruleOf } from './type-rules.ts';

/** One round trip. 403 when no rule speaks of the type, 404 for none or out of reach, 410 for deleted. */
export async function readResource(ctx: Ctx, type: string, id: string): Promise<Row> {
  const actor = requireActor(ctx);
  typeId(type);
  const { projectId, reach } = await locate(actor, type, id, 'read');
  if (!isFhirId(id)) throw notFound();
  const q = ctx.write?.tx;
  const found = await ruleOf(type).elsewhere?.find(actor, projectId, id);
  const row = await requireWithin(found ?? (await findRow(projectId, type, id, q)), reach, q);
  if (!((await ruleOf(type).isSeen?.(ctx, row)) ?? true)) throw notFound();
  const live = requireLive(row);
  noteRead(ctx, type, id);
  return shown(actor, live, q);
}
