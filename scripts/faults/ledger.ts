/** What was asked for, and whether the product said that it was done. What was not acknowledged may have happened or not, but only once. */
export type Entry = { key: string; acknowledged: boolean; mailed?: boolean };

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

/** What waits is whole, and on its way: the only one of them that is no breach. */
export type Verdict = { waiting?: string[]; lost: string[]; doubled: string[]; halved: string[] };

export type Mails = {
  /** How many have come to this address. */
  countOf(address: string): number;
  /** Whether one is queued for it, with what it is to say and a job that will send it. */
  waitsFor(address: string): boolean;
};

export function openLedger(): Ledger {
  return { creates: [], updates: [], invites: [], patches: [], runs: [], jobRows: [] };
}

/** By how often each of the entries is found. */
export function judge(entries: Entry[], count: (key: string) => number): Verdict {
  const lost = entries.filter(({ key, acknowledged }) => acknowledged && count(key) === 0);
  const doubled = entries.filter(({ key }) => count(key) > 1);
  return { lost: lost.map(({ key }) => key), doubled: doubled.map(({ key }) => key), halved: [] };
}

/** Who was invited with a mail has one or will have it, who was invited without has none, and so has who is no member. */
export function judgeMails(invited: Entry[], memberships: (address: string) => number, mails: Mails): Verdict {
  const which = (is: (entry: Entry) => boolean) => invited.filter(is).map(({ key }) => key);
  const isMissed = ({ key, mailed }: Entry) => Boolean(mailed) && memberships(key) > 0 && mails.countOf(key) === 0;
  return {
    waiting: which((entry) => isMissed(entry) && mails.waitsFor(entry.key)),
    lost: which((entry) => isMissed(entry) && !mails.waitsFor(entry.key)),
    doubled: which(({ key, mailed }) => mails.countOf(key) > (mailed ? 1 : 0)),
    halved: which(({ key }) => mails.countOf(key) > 0 && memberships(key) === 0),
  };
}

export function toTable(ledger: Ledger, verdicts: Record<string, Verdict>): string {
  const lines = Object.entries(verdicts).map(([name, { waiting = [], lost, doubled, halved }]) => {
    const entries = ledger[name as keyof Ledger] ?? invitedOf(ledger).filter(({ mailed }) => mailed);
    const acknowledged = entries.filter((entry) => entry.acknowledged).length;
    return [name, entries.length, acknowledged, waiting.length, lost.length, doubled.length, halved.length];
  });
  const all = [['', 'asked', 'acknowledged', 'waiting', 'lost', 'doubled', 'halved'], ...lines];
  return all
    .map(([name, ...counts]) => `${String(name).padEnd(12)}${counts.map((n) => String(n).padStart(14)).join('')}`)
    .join('\n');
}

export function breachesOf(verdicts: Record<string, Verdict>): string[] {
  return Object.entries(verdicts).flatMap(([kind, { lost, doubled, halved }]) =>
    Object.entries({ lost, doubled, halved }).flatMap(([how, keys]) => keys.map((key) => `${kind} ${how}: ${key}`)),
  );
}

export function invitedOf({ invites, jobRows }: Ledger): Entry[] {
  return [...invites, ...jobRows];
}
