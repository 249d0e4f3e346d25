import type { Ctx, Write } from '../../access/context.ts';

/** What is left, in ms, for FHIRPath whose length a caller chooses. */
export type Budget = { leftMs: number };

const MOST_MS = 10_000;
const budgets = new WeakMap<Write, Budget>();

/** Of one change that is made and explained. */
export function judgeOnce(): NonNullable<Ctx['judging']> {
  return { leftMs: MOST_MS, unmet: new Map() };
}

/** One for all changes of a transaction, which holds what it has locked; without one, for what is asked now. */
export function fhirPathBudget({ write: w, judging }: Pick<Ctx, 'write' | 'judging'>): Budget {
  if (judging) return judging;
  const budget = (w && budgets.get(w)) ?? { leftMs: MOST_MS };
  if (w) budgets.set(w, budget);
  return budget;
}
