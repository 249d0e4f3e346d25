import type { BulkImportRow } from '#lib/infra/db/schema/fhir/bulk-import.ts';

/** How the names of imports begin that are unfinished (lib/infra/db/upkeep.ts). */
export const WORK = 'bulk-import ';

export function workOf({ projectId, id }: Pick<BulkImportRow, 'projectId' | 'id'>): string {
  return `${WORK}${projectId} ${id}`;
}

export function workNamed(name: string): Pick<BulkImportRow, 'projectId' | 'id'> {
  const [projectId = '', id = ''] = name.slice(WORK.length).split(' ');
  return { projectId, id };
}
