/** A browser that the caller has come in by. Times are instants. */
export type OwnDevice = {
  id: string;
  /** What the person calls it, if anything. */
  name: string | null;
  browser?: string;
  os?: string;
  /** From where it came last; '' where the server does not see that. */
  remoteAddress: string;
  firstSeenAt: string;
  lastSeenAt: string;
  /** The one that asks. */
  current: boolean;
};

/** GET /auth/devices: the last used first, at most fifty. */
export type OwnDevices = { devices: OwnDevice[] };
