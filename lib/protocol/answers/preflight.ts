import type { Issue } from '#lib/base/errors.ts';

export const PREFLIGHT_CLASSES = [
  'new-person',
  'existing-login',
  'profile-match',
  'already-member',
  'several-profiles',
  'duplicate-row',
  'bad-field',
] as const;
export type PreflightClass = (typeof PREFLIGHT_CLASSES)[number];

export type PreflightRow = {
  /** From 0, as sent. */
  row: number;
  class: PreflightClass;
  /** What the invite would do. */
  action: 'create' | 'update' | 'refuse';
  issues: Issue[];
  membership?: string;
  user?: string;
  profile?: string;
};

/** POST /admin/projects/{id}/invite/preflight. */
export type Preflight = { total: number; counts: Record<PreflightClass, number>; rows: PreflightRow[] };
