import type { AuditRow } from '../answers/audit.ts';
import type { FactorMethod } from '../factors/answers.ts';

/** GET /admin/projects/:id/members/:id/safety: the newest of each first, at most twenty. */
export type MemberSafety = {
  /** Nobody enters as them. */
  locked: boolean;
  /** Sign-ins and codes that failed, as far as this project's audit log has them. */
  failures: AuditRow[];
  /** What was done in their name; `more`: the audit log has more. */
  acts: { rows: AuditRow[]; more: boolean };
  /** That may still be used. */
  sessions: number;
  factors: FactorMethod[];
  passkeys: number;
};
