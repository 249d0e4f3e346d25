import type { FactorMethod } from '../factors/answers.ts';
import type { MemberStatusName } from './member-status.ts';

/** What is known of a membership besides its resource. Times are instants. */
export type MemberFact = {
  membershipId: string;
  status: MemberStatusName;
  /** When the membership was made: its first version. */
  joinedAt: string | null;
  /** The newest sign-in or renewal by this membership, in this project only; null when there was none. */
  lastActiveAt: string | null;
  /** Whether the login is the project's own or stands above projects. Null for a program. */
  scope: 'project' | 'server' | null;
  /** Removing this membership deletes the account, too: the project's own, with nothing else in it. */
  endsAccount: boolean;
  activeSessions: number;
  /** What the person has enrolled beside the password, for the account as a whole. */
  factors: FactorMethod[];
  /** Whether they have a passkey, for the account as a whole. */
  passkey: boolean;
  /** They enter by their organisation's sign-in alone: what they have beside a password is asked for there. */
  byProvider: boolean;
  /** The directory that manages name, e-mail address and whether they are active; null: nobody but the administrators. */
  directory: string | null;
};

/** GET /admin/projects/{id}/member-facts: of exactly the memberships that were asked for. */
export type MemberFactList = { rows: MemberFact[] };
