/** A request that is sent over and over, to the product and to the bare handler alike. */
export type Scenario = {
  name: string;
  method: 'GET' | 'POST';
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  /** Every UNIQUE in it becomes a text that was not there before. */
  body?: string;
  /** `rows`: the bare handler writes what the last statement returned. `fixed`: always the same text. `echo`: that, and no SQL. */
  answer: 'rows' | 'fixed' | 'echo';
  /** Each request has one of its own in place of ONCE; what the answer's `refresh_token` holds goes back to the rest. */
  once?: string[];
  /** Each request has the next of these in place of ONCE, in its body or its path, and after the last the first. */
  inTurn?: string[];
  /** Each request comes from another network, by way of a proxy that says so. */
  fromAnywhere?: boolean;
  /** What the server answers when all is well: a redirect instead of a success. */
  redirects?: boolean;
};

export const UNIQUE = '4242424242';
export const ONCE = '4343434343';

export type Statement = { text: string; params: unknown[] };

/** What one request of a scenario asks the database, seen twice: what differs was made for that request. */
export type Recorded = {
  scenario: Scenario;
  first: Statement[];
  second: Statement[];
  body: string;
  contentType: string;
};

/** `seconds` of one scenario. Latencies in milliseconds. */
export type Job = { url: string; scenario: Scenario; connections: number; seconds: number };
export type Measured = { perSecond: number; p50: number; p99: number; failed: number };
