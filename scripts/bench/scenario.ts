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
};

export const UNIQUE = '4242424242';

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
