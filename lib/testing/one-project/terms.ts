/** What can stand for a project: a column of one of the tables named, a parameter, a constant. */
export type Term = string;

/** Which terms a statement says are equal. */
export type Terms = {
  fresh(): Term;
  equate(a: Term | undefined, b: Term | undefined): void;
  /** `term` is what `parts` are, if those turn out to be one: a column of a UNION or of VALUES. */
  combine(term: Term, parts: readonly (Term | undefined)[]): void;
  /** The parameter or constant that the term is, or undefined. */
  valueFor(term: Term): Term | undefined;
};

export const valueTerm = (value: string): Term => `=${value}`;

export function createTerms(): Terms {
  const parents = new Map<Term, Term>();
  const combined: { term: Term; parts: readonly (Term | undefined)[] }[] = [];
  let made = 0;
  return { fresh: () => `t${made++}`, equate, combine: (term, parts) => void combined.push({ term, parts }), valueFor };

  function root(term: Term): Term {
    for (let at = term; ; ) {
      const parent = parents.get(at);
      if (parent === undefined) return at;
      at = parent;
    }
  }

  function equate(a: Term | undefined, b: Term | undefined): void {
    if (a === undefined || b === undefined) return;
    const [one, other] = [root(a), root(b)];
    if (one === other) return;
    // A value stays the root of what is equal to it. Of two values, the terms on either side keep their own.
    if (!one.startsWith('=')) parents.set(one, other);
    else if (!other.startsWith('=')) parents.set(other, one);
  }

  function valueFor(term: Term): Term | undefined {
    settle();
    const found = root(term);
    return found.startsWith('=') ? found : undefined;
  }

  function settle(): void {
    for (let changed = true; changed; ) {
      changed = false;
      for (const { term, parts } of combined) {
        const roots = new Set(parts.map((part) => (part === undefined ? undefined : root(part))));
        roots.delete(root(term));
        const [only] = roots;
        if (roots.size !== 1 || only === undefined) continue;
        equate(term, only);
        changed = true;
      }
    }
  }
}
