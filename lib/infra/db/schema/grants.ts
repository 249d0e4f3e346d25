import { boolean, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** Authorization requests that an app has sent us beforehand (RFC 9126), by the hash of what names them. Each is taken once. */
export const pushedRequest = pgTable(
  'pushed_request',
  {
    projectId: uuid('project_id').notNull(),
    hash: text('hash').notNull(),
    clientId: uuid('client_id').notNull(),
    /** Form-encoded, without what proved the client. */
    params: text('params').notNull(),
    /** The app has shown who it is. */
    needsProof: boolean('needs_proof').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.hash] })],
);
