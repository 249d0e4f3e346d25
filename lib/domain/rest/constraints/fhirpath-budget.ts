import type { Write } from '../../access/context.ts';

/** What is left, in ms, for FHIRPath whose length a caller chooses. */
export type Budget = { leftMs: number };

const MOST_MS = 10_000;
const budgets = new WeakMap<Write, Budget>();

/** One for all changes of a transaction, which holds what it has locked; without one, for what is asked now. */
export function fhirPathBudget(w: Write | undefined): Budget {
  const budget = (w && budgets.get(w)) ?? { leftMs: MOST_MS };
  if (w) budgets.set(w, budget);
  return budget;
}
