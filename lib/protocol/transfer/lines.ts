import type { BotFile } from '../bots/files.ts';
import type { SampleRequest } from '../bots/samples.ts';

/**
 * The file of a project: a line of JSON each, `manifest` first and `end` last. Where `end` is missing, or its hash is not that of the bytes
 * before it, the file was cut or altered.
 */
export const PROJECT_FILE = { format: 'gatehouse-project', version: 1 } as const;

export type Manifest = typeof PROJECT_FILE & {
  kind: 'manifest';
  project: { id: string; name: string };
  /** The server that it comes from. */
  source: string;
  /** When it began: nothing that came later is in it. */
  asOf: string;
  /** How many versions of each type there were then. */
  versions: Record<string, number>;
};

/** Who has an account above projects: by address and name alone. */
export type PersonLine = { kind: 'person'; id: string; email?: string; firstName?: string; lastName?: string };

/** What of a membership stands outside of its resource. */
export type MembershipLine = {
  kind: 'membership';
  id: string;
  user: string;
  /** Of a person's further memberships. */
  further: boolean;
  awaitsProof: boolean;
  inviteStatus: string;
  invitedAt: string | null;
};

export type BotVersionLine = {
  kind: 'bot-version';
  botId: string;
  number: number;
  filename: string;
  source: string;
  /** The others, of a bot that is many. */
  files?: BotFile[];
  bundle: string;
  sourceMap: string | null;
  author: string | null;
  note?: string;
  fromNumber?: number;
  createdAt: string;
};

/** The others of a bot's draft that is many files. */
export type BotDraftLine = { kind: 'bot-draft'; botId: string; files: BotFile[] };

/** What a bot is tried with: data of patients, as the records are. */
export type BotSampleLine = SampleRequest & {
  kind: 'bot-sample';
  botId: string;
  id: string;
  author: string | null;
  updatedAt: string;
};

export type SmallLine =
  | PersonLine
  | MembershipLine
  | BotVersionLine
  | BotDraftLine
  | BotSampleLine
  | { kind: 'bot-deployment'; botId: string; number: number }
  /** A secret of the project, whose value is not told. */
  | { kind: 'secret-name'; name: string }
  /** A secret of a bot's own, likewise. */
  | { kind: 'bot-secret-name'; botId: string; name: string }
  /** The bytes of a Binary in base64, in pieces in their order: those of its versions from `since` to before `until`, where it has had others. */
  | { kind: 'binary'; id: string; since?: number; until?: number; piece: number; data: string };

export type EndLine = {
  kind: 'end';
  /** Lines before this one, in all and of each kind. */
  lines: number;
  counts: Record<string, number>;
  /** SHA-256 of all bytes before this line, in hex. */
  sha256: string;
};
