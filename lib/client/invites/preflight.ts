import { api } from '../api/api.ts';
import type { InviteInput } from './input.ts';

export type PreflightClass =
  | 'new-person'
  | 'existing-login'
  | 'already-member'
  | 'profile-match'
  | 'several-profiles'
  | 'duplicate-row'
  | 'bad-field';

export type PreflightRow = {
  /** From 0, as sent. */
  row: number;
  class: PreflightClass;
  /** What the invite would do. */
  action: 'create' | 'update' | 'refuse';
  issues: { text: string; expression?: string }[];
  membership?: string;
};

export type Preflight = { total: number; counts: Record<PreflightClass, number>; rows: PreflightRow[] };

/** What would become of each invitation, without sending any. At most 5,000. */
export async function preflight(projectId: string, rows: InviteInput[]): Promise<Preflight> {
  return api<Preflight>(`/admin/projects/${projectId}/invite/preflight`, { method: 'POST', body: { rows } });
}
