import type { Preflight } from '#lib/protocol/answers/preflight.ts';
import { api } from '../api/api.ts';
import type { InviteInput } from './input.ts';

/** What would become of each invitation, without sending any. At most 5,000. */
export async function preflight(projectId: string, rows: InviteInput[]): Promise<Preflight> {
  return api<Preflight>(`/admin/projects/${projectId}/invite/preflight`, { method: 'POST', body: { rows } });
}
