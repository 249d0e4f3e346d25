import type { Queryable } from '../db/client.ts';
import type { mail } from '../db/schema/operations.ts';

export type ChangedMail = Pick<typeof mail.$inferSelect, 'projectId' | 'membershipId'>;

/** What else changes, in the same transaction, when a mail is lost or found its way after all. Mail knows nothing of who is written to. */
export type FollowMail = (tx: Queryable, mail: ChangedMail) => Promise<void>;
