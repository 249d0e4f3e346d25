/** `display` is null for what has no name, and both are for nobody: the system itself, or somebody before signing in. */
export type Party = { reference: string | null; display: string | null };

/** What was done, by whom, to what. `at` is an instant. */
export type AuditRow = {
  id: string;
  at: string;
  action: string;
  actor: Party;
  /** The administrator who acted as the actor. */
  onBehalfOf: Party | null;
  target: Party;
  outcome: 'success' | 'failure';
  before: unknown;
  after: unknown;
  requestId: string;
  remoteAddress: string | null;
};

/** A place of the chain over a project's audit rows, signed (a JWS, lib/protocol/audit/chain.ts). `at` is an instant. */
export type SignedHead = { seq: number; at: string; jws: string };

/** GET /admin/projects/{id}/audit/heads, newest first: the first is of now. */
export type HeadPage = { heads: SignedHead[] };

/** What references are called. */
export type AuditNames = Record<string, string>;

/** GET /admin/projects/{id}/audit, newest first; `next` is the cursor of the page after this one. */
export type AuditPage = {
  rows: AuditRow[];
  /** Of the references inside `before` and `after`. */
  names: AuditNames;
  next: string | null;
};
