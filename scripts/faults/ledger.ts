/** What was asked for, and whether the product said that it was done. What was not acknowledged may have happened or not, but only once. */
export type Entry = { key: string; acknowledged: boolean };

export type Ledger = {
  creates: Entry[];
  /** Versions of one patient each: `patient/number`. */
  updates: Entry[];
  invites: Entry[];
  /** `membership/administrator or not`, in the order of asking. */
  patches: Entry[];
  /** By the request id of the answer. */
  runs: Entry[];
  /** Every row of every job, by its address. */
  jobRows: Entry[];
};

export type Verdict = { lost: string[]; doubled: string[]; halved: string[] };

export function openLedger(): Ledger {
  return { creates: [], updates: [], invites: [], patches: [], runs: [], jobRows: [] };
}

/** By how often each of the entries is found. */
export function judge(entries: Entry[], count: (key: string) => number): Verdict {
  const lost = entries.filter(({ key, acknowledged }) => acknowledged && count(key) === 0);
  const doubled = entries.filter(({ key }) => count(key) > 1);
  return { lost: lost.map(({ key }) => key), doubled: doubled.map(({ key }) => key), halved: [] };
}

export function toTable(ledger: Ledger, verdicts: Record<string, Verdict>): string {
  const lines = Object.entries(verdicts).map(([name, { lost, doubled, halved }]) => {
    // A mail goes with every invitation.
    const entries = ledger[name as keyof Ledger] ?? [...ledger.invites, ...ledger.jobRows];
    const acknowledged = entries.filter((entry) => entry.acknowledged).length;
    return [name, entries.length, acknowledged, lost.length, doubled.length, halved.length];
  });
  const all = [['', 'asked', 'acknowledged', 'lost', 'doubled', 'halved'], ...lines];
  return all
    .map(([name, ...counts]) => `${String(name).padEnd(12)}${counts.map((n) => String(n).padStart(14)).join('')}`)
    .join('\n');
}
