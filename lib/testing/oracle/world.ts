import { write } from '#lib/domain/audit/write.ts';
import { createRow } from '#lib/domain/store/create-row.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { START_CTX } from '../world.ts';

export type Stored = { id: string; resource: Resource };

/** With the ids that they have, or such as the store gives. */
export async function store(projectId: string, resources: readonly Resource[]): Promise<Stored[]> {
  return write(START_CTX, async (w) => {
    w.audit({ projectId, action: 'resource.create', target: 'Patient' });
    const stored: Stored[] = [];
    for (const resource of resources) {
      const { id } = await createRow(w, projectId, resource, { author: undefined, id: resource.id });
      stored.push({ id, resource });
    }
    return stored;
  });
}
