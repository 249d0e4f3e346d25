import { bigint, boolean, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant } from '../columns.ts';

/** What a person signs in with instead of a password: a key pair, of which this is the public half (WebAuthn Level 3 §4, credential record). */
export const passkey = pgTable(
  'passkey',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').notNull(),
    /** As the authenticator calls it, base64url. */
    credentialId: text('credential_id').notNull(),
    /** COSE_Key. */
    publicKey: bytea('public_key').notNull(),
    /** How often it signed, as it says: 32 bits. Many say 0 for ever. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').$type<string[]>().notNull(),
    /** Random: an authenticator tells it to everybody who may use it, so it names nobody (§14.6.1). */
    userHandle: text('user_handle').notNull(),
    name: text('name').notNull(),
    /** Its provider keeps a copy: it outlives the device. */
    backedUp: boolean('backed_up').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
    /** Its account was deleted then; it may still come back. */
    endedAt: instant('ended_at'),
  },
  (t) => [uniqueIndex('passkey_credential').on(t.credentialId), index('passkey_user').on(t.userId)],
);

/** What an authenticator is to sign, once. A row goes with its use. */
export const passkeyChallenge = pgTable('passkey_challenge', {
  challengeHash: text('challenge_hash').primaryKey(),
  /** The session that adds a passkey; null of who signs in. */
  loginId: uuid('login_id'),
  /** Of the passkey that is added. */
  userHandle: text('user_handle'),
  expiresAt: instant('expires_at').notNull(),
});
