import type { Reference } from '../fhir/types.ts';

/** POST /admin/super/importproject. */
export type ProjectImported = {
  project: Reference;
  /** What the file had. */
  lines: number;
  versions: number;
  /** Accounts that are new here, each waiting for a password. */
  people: number;
  /** Administrators who were mailed their invitation; whom else, another administrator mails. */
  mailed: number;
  /** Programs, each of which needs a new secret; and those that are switched off until an administrator has looked at them. */
  clients: number;
  clientsOff: string[];
  /** Subscriptions that were active there: none fires here until somebody turns it on. */
  subscriptionsOff: number;
  /** Bots that have times: they are run at them from here on, whatever the other server does. */
  timedBots: number;
  /** Names of the project's secrets: their values are not in the file. */
  secrets: string[];
  /** Of its bots' own secrets likewise: "Bot/id" and the name. */
  botSecrets: { bot: string; name: string }[];
};
