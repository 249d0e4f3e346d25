/** When the sender gets its acknowledgement: when the message is stored, or when the bot has run, whose answer it then is. */
export const FEED_ANSWERS = ['stored', 'bot'] as const;
export type FeedAnswer = (typeof FEED_ANSWERS)[number];

export const MESSAGE_STATES = ['waiting', 'running', 'done', 'failed'] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

type Named = { reference: string; display: string | null };

/** A feed as its administrators see it. Instants are ISO 8601. */
export type Hl7Feed = {
  id: string;
  name: string;
  bot: Named;
  /** Null: the server's port for certificates. */
  port: number | null;
  tls: boolean;
  /** SHA-256 in hex, bytes separated by colons. */
  clientCertificate: string | null;
  allowedAddress: string[];
  answer: FeedAnswer;
  active: boolean;
  /** Another whenever one of the above is. */
  version: string;
  createdAt: string;
  state: {
    /** A process listens for it just now. */
    listening: boolean;
    connections: number;
    lastMessageAt: string | null;
    /** Since it was made: stored, told again of, and not taken. */
    received: number;
    repeated: number;
    refused: number;
    /** Just now; `failed` counts to a thousand. */
    waiting: number;
    failed: number;
    fault: string | null;
    faultAt: string | null;
  };
};

/** What the server offers; `ports` and `tlsPort` are null where it does not listen. */
export type Hl7Server = {
  host: string;
  ports: { from: number; to: number } | null;
  tlsPort: number | null;
  tls: boolean;
};

export type Hl7FeedList = { rows: Hl7Feed[]; server: Hl7Server };

/** `failure` says what went wrong, in the words of the bot: nothing else here tells what the message says. */
export type Hl7MessageRow = {
  id: string;
  controlId: string;
  type: string;
  state: MessageState;
  receivedAt: string;
  endedAt: string | null;
  tries: number;
  bytes: number;
};

export type Hl7MessagePage = { rows: Hl7MessageRow[]; next: string | null };

/** `text` and what the bot said of it, which may tell of a patient; null: nothing, not kept, or what cannot be shown masked. `isKept`: it can be run again. */
export type Hl7MessageDetail = Hl7MessageRow & {
  isKept: boolean;
  text: string | null;
  answer: string | null;
  failure: string | null;
};
