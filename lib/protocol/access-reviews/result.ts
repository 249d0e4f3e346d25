import type { ReviewOutcome } from './answers.ts';

/**
 * The result of an access review: lines of JSON. The first is `{"jws": …}` (RFC 7515, ES256), which says what is in it and the SHA-256 of
 * everything after its line feed; then a line for each member, without names.
 */
export const RESULT_TYPE = 'access-review+jwt';

export type ResultHead = {
  iss: string;
  project: string;
  review: string;
  name: string;
  rows: number;
  /** Of the UTF-8 of the lines after the first, in lower-case hexadecimal. */
  sha256: string;
  /** By outcome. */
  counts: Record<string, number>;
  /** Seconds. */
  iat: number;
};

export type ResultLine = {
  membership: string;
  user: string;
  profile: string;
  decision: string | null;
  decidedBy: string | null;
  decidedAt: string | null;
  held: unknown;
  wanted: unknown;
  outcome: ReviewOutcome;
};
