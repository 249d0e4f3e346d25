import { notFound } from '#lib/base/errors.ts';
import type { Ctx } from '../../access/context.ts';
import { type Found, findBytes } from '../../bytes/find-bytes.ts';
import { type Row, toResource } from '../../store/row.ts';
import { readResource } from '../read-resource.ts';
import { readVersion } from '../read-version.ts';

export type Bytes = { row: Row; contentType: string; found: Found };

/** A Binary, or one version of it, with where its bytes are. 404 for who may not read its security context, as for none (`binaryRule`). */
export async function readBinary(ctx: Ctx, id: string, version?: string): Promise<Bytes> {
  const row =
    version === undefined ? await readResource(ctx, 'Binary', id) : await readVersion(ctx, 'Binary', id, version);
  const { contentType } = toResource<{ contentType: string }>(row);
  const found = await findBytes(row.projectId, row.id, row.version, ctx.write?.tx);
  if (!found) throw notFound();
  return { row, contentType, found };
}
