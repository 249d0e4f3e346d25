import { json, type Reply } from '../../door/reply.ts';

/** What is under way, or what came of it (Bulk Data Access §3.1.5). */
export type BulkState = { progress: string } | { manifest: object; expiresAt: Date };

export function toStatus(state: BulkState): Reply {
  if ('progress' in state) return { status: 202, headers: { 'x-progress': state.progress, 'retry-after': '1' } };
  return json(state.manifest, 200, { expires: state.expiresAt.toUTCString() });
}
