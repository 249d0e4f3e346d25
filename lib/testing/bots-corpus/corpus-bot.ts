/** A bot as people write them for the peer, what it is given, and what it answers. */
export type CorpusBot = {
  name: string;
  code: string;
  /** What else is deployed with it, by its name. */
  files?: Record<string, string>;
  /** Of node_modules, deployed with it. */
  packages?: string[];
  /** Why it cannot be deployed: a part of the text. */
  refused?: string;
  /** Headers of the call. */
  headers?: Record<string, string>;
  /** Fields of the Bot. */
  bot?: Record<string, unknown>;
  /** Its membership is that of an administrator. */
  admin?: true;
  /** What there is before: `{{0}}` is the reference of the first of them, `{{0.id}}` its id, wherever below; `{{server}}` another server. */
  given?: Record<string, unknown>[];
  input?: unknown;
  /** Default: application/fhir+json. */
  contentType?: string;
  /** Default: 200. */
  status?: number;
  /** What the answer has, at least; of text, a part. */
  answer?: unknown;
};

/** A part of a text, which the answer has as a whole: matched by the test. */
export function part(text: string): { $part: string } {
  return { $part: text };
}
