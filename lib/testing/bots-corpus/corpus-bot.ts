/** A bot as people write them for the peer, what it is given, and what it answers. */
export type CorpusBot = {
  name: string;
  code: string;
  /** Fields of the Bot. */
  bot?: Record<string, unknown>;
  /** Its membership is that of an administrator. */
  admin?: true;
  /** What there is before: `{{0}}` is the reference of the first of them, `{{0.id}}` its id, wherever below; `{{server}}` another system’s address, `{{key}}` an RSA key. */
  given?: Record<string, unknown>[];
  input?: unknown;
  /** Default: application/fhir+json. */
  contentType?: string;
  /** Default: 200. */
  status?: number;
  /** What the answer has, at least; of text, a part. */
  answer: unknown;
  /** Its author's own tools made one file of it and its packages before it was deployed. */
  isBundled?: true;
  /** False: private addresses are refused to it, as they are outside of tests. */
  isOpen?: false;
  /** It is refused when it is deployed, with this. */
  refused?: string;
};
