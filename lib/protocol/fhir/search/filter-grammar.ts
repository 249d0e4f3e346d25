// R4's _filter (search_filter.html), read into a tree that knows nothing of parameters yet.

/** `at`: the comparison as it was written, for errors. `quoted`: a string, and no token that may have parts. */
export type Comparison = { path: string; operator: string; value: string; quoted: boolean; at: string };
export type FilterTree = { op: 'and' | 'or'; args: FilterTree[] } | { op: 'not'; arg: FilterTree } | Comparison;

const MAX_LENGTH = 4000;
const MAX_DEPTH = 10;
/** Of all filters of a search: each is a condition of the statement. */
export const MAX_COMPARISONS = 50;

const PATH = /[A-Za-z_][\w-]*(?::[A-Za-z]+)?(?:\.[A-Za-z_][\w-]*(?::[A-Za-z]+)?)*/y;
const OPERATOR = /[a-z]{2}(?=\s)/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const TOKEN = /[^\s)\]"[(]+/y;
const WORD = /(?:and|or)(?=[\s(]|$)/y;
const NOT = /not(?=\s*\()/y;
const SPACE = /\s*/y;

/** What a search has left, over all its filters. */
export type FilterBudget = { comparisons: number };

/** Throws what `refuse` makes of a text, for what is not of the grammar, and for too much of it. */
export function readFilterTree(text: string, refuse: (what: string) => Error, budget: FilterBudget): FilterTree {
  if (text.length > MAX_LENGTH) throw refuse(`It has more than ${MAX_LENGTH} characters`);
  const reader = new Reader(text, refuse, budget);
  const tree = reader.filter(1);
  reader.end();
  return tree;
}

class Reader {
  private readonly text: string;
  private readonly refuse: (what: string) => Error;
  private readonly budget: FilterBudget;
  private at = 0;

  constructor(text: string, refuse: (what: string) => Error, budget: FilterBudget) {
    this.text = text;
    this.refuse = refuse;
    this.budget = budget;
  }

  /** From left to right: neither of `and` and `or` binds more than the other. */
  filter(depth: number): FilterTree {
    if (depth > MAX_DEPTH) throw this.refuse(`It has more than ${MAX_DEPTH} parentheses within each other`);
    let tree = this.unit(depth);
    for (let word = this.take(WORD); word; word = this.take(WORD)) {
      const op = word as 'and' | 'or';
      const right = this.unit(depth);
      tree = 'args' in tree && tree.op === op ? { op, args: [...tree.args, right] } : { op, args: [tree, right] };
    }
    return tree;
  }

  end(): void {
    if (this.at < this.text.length) throw this.wrong('and, or, or its end');
  }

  private unit(depth: number): FilterTree {
    if (this.take(NOT)) return { op: 'not', arg: this.group(depth) };
    return this.text[this.at] === '(' ? this.group(depth) : this.comparison();
  }

  private group(depth: number): FilterTree {
    this.at += 1;
    this.take(SPACE);
    const tree = { ...this.filter(depth + 1) };
    if (this.text[this.at] !== ')') throw this.wrong(')');
    this.at += 1;
    this.take(SPACE);
    // What stands in parentheses is one, whatever comes behind them.
    return 'args' in tree ? { op: tree.op, args: [tree] } : tree;
  }

  private comparison(): Comparison {
    const from = this.at;
    this.budget.comparisons -= 1;
    if (this.budget.comparisons < 0)
      throw this.refuse(`A search has at most ${MAX_COMPARISONS} comparisons, in all its filters`);
    const path = this.take(PATH);
    if (!path) throw this.wrong('a search parameter');
    if (this.text[this.at] === '[') throw this.refuse(`${path}[…] is not supported`);
    const operator = this.take(OPERATOR);
    if (!operator) throw this.wrong('an operator');
    const written = this.take(STRING);
    const value = written ? this.unquote(written) : this.take(TOKEN);
    if (!value) throw this.wrong('a value');
    return { path, operator, value, quoted: written !== '', at: this.text.slice(from, this.at).trim().slice(0, 200) };
  }

  /** A JSON string. */
  private unquote(written: string): string {
    const text = parsed(written);
    // No database takes it in a text.
    if (text === undefined || text.includes('\0')) throw this.refuse(`${written.slice(0, 80)} is no JSON string`);
    return text;
  }

  /** What stands here and fits, with the white space behind it; '' for nothing. */
  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    if (found !== '' || pattern === SPACE) {
      SPACE.lastIndex = this.at;
      this.at += SPACE.exec(this.text)?.[0].length ?? 0;
    }
    return found;
  }

  private wrong(wanted: string): Error {
    const here = this.text.slice(this.at, this.at + 40);
    return this.refuse(`It has ${here ? `"${here}"` : 'its end'} where ${wanted} must stand`);
  }
}

function parsed(written: string): string | undefined {
  try {
    return JSON.parse(written) as string;
  } catch {
    return undefined;
  }
}
