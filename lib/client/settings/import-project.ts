import type { ProjectImported } from '#lib/protocol/answers/project-imported.ts';
import { api } from '../api/api.ts';

/** The file goes out as the server takes it in: the answer comes when all of it is there, or says which line is wrong. */
export async function importProject(file: Blob, signal: AbortSignal): Promise<ProjectImported> {
  const request = { method: 'POST', file, contentType: 'application/x-ndjson', signal } as const;
  return api('/admin/super/importproject', request);
}
