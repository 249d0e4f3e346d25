/** One's own passkey. Times are instants. */
export type Passkey = {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  /** Its provider keeps a copy: it outlives the device. */
  backedUp: boolean;
};

/** GET /auth/passkeys: the oldest first. Without a password the last one cannot be taken out. */
export type OwnPasskeys = { passkeys: Passkey[]; hasPassword: boolean };
