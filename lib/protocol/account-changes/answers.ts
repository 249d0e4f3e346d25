import type { FactorMethod } from '../factors/answers.ts';
import type { Reference } from '../fhir/types.ts';

export const CHANGE_STATES = ['waiting', 'done', 'stopped', 'cancelled', 'failed', 'lapsed'] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

/** A change of what somebody signs in with that waits. */
export type WaitingChange = {
  id: string;
  kind: 'address' | 'factors' | 'erase';
  by: 'person' | 'administrator';
  /** The new address. */
  email?: string;
  /** What is taken away. */
  method?: FactorMethod;
  passkeys?: true;
  askedAt: string;
  /** Not before. */
  dueAt: string;
  /** Whether the new address has been confirmed; left out where nobody asks for that. */
  confirmed?: boolean;
};

/** GET /admin/projects/{id}/members/{id}/changes. */
export type WaitingChanges = { changes: WaitingChange[] };

/** GET /auth/address. `strong`: this session has shown more than a password, as a new address asks for. */
export type OwnAddress = WaitingChanges & { email: string | null; strong: boolean; waitHours: number };

/** POST /auth/changes/link: what a mailed link is about. `email`: the new one; to who only stops it, in part. */
export type ChangeLink = Pick<WaitingChange, 'kind' | 'by' | 'email' | 'dueAt' | 'confirmed'> & {
  purpose: 'confirm' | 'stop';
  state: ChangeState;
};

/** GET /auth/erasure: what ends with the account. `confirm`: what is typed to mean it. `against`: why the account cannot be erased yet. */
export type OwnErasure = {
  confirm: string;
  waitDays: number;
  projects: { membership: string; project: Reference; against?: string }[];
  waiting: WaitingChange | null;
};
