/**
 * The chain over a project's audit rows. Each has a number, without gaps, and the SHA-256 of itself together with the hash of the one before:
 * UTF-8 of the JSON array that `linkText` makes, in lower-case hexadecimal. Pure, for server, browser and script.
 */

/** A row as it is hashed. `before` and `after` are PostgreSQL's own text of their jsonb, `at` an instant with milliseconds. */
export type ChainedRow = {
  id: string;
  at: string;
  action: string;
  target: string;
  outcome: number;
  actor: string | null;
  actorMembership: string | null;
  loginId: string | null;
  onBehalfOf: string | null;
  requestId: string;
  remoteAddress: string | null;
  before: string | null;
  after: string | null;
};

/** A line of an exported chain: a row with its place, a place whose row is gone, or a signed head. */
export type ChainLine =
  | ({ kind: 'row'; seq: number; hash: string } & ChainedRow)
  | { kind: 'gone'; seq: number; hash: string; id: string }
  | { kind: 'head'; jws: string };

/** What a head says (a JWS, RFC 7515, ES256, `typ` HEAD_TYPE): up to which row the chain reached, and where it begins. */
export type Head = {
  iss: string;
  project: string;
  seq: number;
  hash: string;
  /** The last row that is no longer kept; 0 when all are. */
  start: { seq: number; hash: string };
  /** Seconds. */
  iat: number;
};

export const HEAD_TYPE = 'audit-head+jwt';
/** The hash before the first row. */
export const NO_HASH = '0'.repeat(64);

const FORM = 'gatehouse-audit-1';

/** What is hashed of a row at this place. */
export function linkText(projectId: string, seq: number, row: ChainedRow, previous: string): string {
  const { id, at, action, target, outcome, actor, actorMembership, loginId, onBehalfOf } = row;
  const { requestId, remoteAddress, before, after } = row;
  return JSON.stringify([
    ...[FORM, projectId, seq, id, at, action, target, outcome, actor, actorMembership, loginId, onBehalfOf],
    ...[requestId, remoteAddress, before, after, previous],
  ]);
}
