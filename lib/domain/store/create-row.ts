import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { newId } from '#lib/base/ids.ts';
import { runText } from '#lib/infra/db/client.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { byWhom } from './by-whom.ts';
import { toIndexParams } from './index-params.ts';
import { type Row, toColumns } from './row.ts';
import { INSERT } from './statements.ts';

export type NewRowOptions = { author: string | undefined; id?: string };

/** Stores a new resource with its first history entry and its index. `resource` is valid; its id and meta are the store's to give. */
export async function createRow(w: Write, projectId: string, resource: Resource, options: NewRowOptions): Promise<Row> {
  const id = options.id ?? newId();
  const { meta, content } = toColumns(resource);
  const author = byWhom(w, options.author);
  const lastUpdated = new Date();
  const index = toIndexParams(extract(projectId, { ...resource, id }, fhirBase()));
  const params = [
    projectId,
    typeId(resource.resourceType),
    id,
    1,
    lastUpdated.toISOString(),
    author,
    meta,
    content,
    ...index,
  ];
  const [stored] = await runText<{ last_updated: string }>(w.tx, INSERT, params);
  if (!stored) throw new AppError('exception', 'The resource was not stored');
  return { projectId, type: resource.resourceType, id, version: 1, lastUpdated, deleted: false, author, meta, content };
}
