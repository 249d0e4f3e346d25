import type { AuditRow } from './audit.ts';

/** The worst first. */
export const FINDING_KINDS = [
  'policy-missing',
  'default-missing',
  'glass-policy-missing',
  'profile-missing',
  'one-admin',
  'bot-failing',
  'break-glass',
  'access-request',
  'policy-required',
  'no-policy',
  'shared-profile',
  'mail-failed',
  'invite-expired',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** What an administrator should look at. */
export type Finding = {
  kind: FindingKind;
  text: string;
  /** `ProjectMembership/…`, `Bot/…`, `Project/…`, `AccessRequest/…` with the id of a request for access, or `BreakGlass/…` with that of a grant. */
  target: string;
  display: string | null;
  /** What one button can do about it. */
  fix?:
    | 'repair'
    | 'invite-admin'
    | 'edit-access'
    | 'resend'
    | 'open-bot'
    | 'edit-defaults'
    | 'answer'
    | 'review'
    | 'edit-glass';
};

export const CHECKLIST_KEYS = ['invite', 'second-admin', 'policy', 'bot', 'client'] as const;
export type ChecklistKey = (typeof CHECKLIST_KEYS)[number];

/** GET /admin/projects/{id}/overview. `findings` holds the first of each kind, `findingCounts` all of them. */
export type Overview = {
  people: { active: number; invited: number; inactive: number };
  bots: { count: number; runs24h: number; failed24h: number };
  clients: { active: number; off: number };
  checklist: { key: ChecklistKey; done: boolean }[];
  findings: Finding[];
  findingCounts: Record<FindingKind, number>;
  recent: AuditRow[];
};
