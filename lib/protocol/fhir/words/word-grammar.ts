import { wordsOf } from './words-of.ts';

/** What a text must have: words next to each other, all of several such, or any. */
export type WordTree = { phrase: readonly string[] } | { all: readonly WordTree[] } | { any: readonly WordTree[] };

/** What a search has left, over all its parameters. */
export type WordBudget = { words: number };

/** Of a search: each is looked up in the index. */
export const MAX_WORDS = 50;
const MAX_LENGTH = 1000;
const MAX_DEPTH = 10;
const PART = /\s*(?:([()])|"([^"]*)"|([^\s()"]+))/y;

type Part = { mark: '(' | ')' } | { op: 'and' | 'or' } | { phrase: string[] };

/**
 * `(bone OR liver) and "distant metastases"`: words that stand side by side are all wanted, `and` binds more than `or`. Throws what `refuse`
 * makes of a text, for what it cannot honour, and for too much of it.
 */
export function readWordTree(text: string, refuse: (what: string) => Error, budget: WordBudget): WordTree {
  if (text.length > MAX_LENGTH) throw refuse(`It has more than ${MAX_LENGTH} characters`);
  const reader = new Reader(partsOf(text, refuse, budget), refuse);
  const tree = reader.alternatives(0);
  reader.end();
  return tree;
}

function partsOf(text: string, refuse: (what: string) => Error, budget: WordBudget): Part[] {
  const parts: Part[] = [];
  const whole = text.trimEnd();
  for (PART.lastIndex = 0; PART.lastIndex < whole.length; ) {
    const found = PART.exec(whole);
    if (!found) throw refuse('A " has no end');
    const [, mark, quoted, term] = found;
    if (mark) parts.push({ mark: mark as '(' | ')' });
    else parts.push(quoted === undefined ? toPart(term!, refuse) : { phrase: toPhrase(quoted, refuse) });
    const last = parts.at(-1)!;
    budget.words -= 'phrase' in last ? last.phrase.length : 0;
    if (budget.words < 0) throw refuse(`A search looks for at most ${MAX_WORDS} words, in all its parameters`);
  }
  return parts;
}

function toPart(term: string, refuse: (what: string) => Error): Part {
  const word = term.toLowerCase();
  if (word === 'and' || word === 'or') return { op: word };
  const shown = term.slice(0, 40);
  if (word === 'not') throw refuse('not is not supported; in quotes it is a word');
  if (term.includes('*')) throw refuse(`${shown}: * is not supported, each word is a whole one`);
  if (/^[-+!]/.test(term)) throw refuse(`${shown}: ${term[0]} before a word is not supported`);
  return { phrase: toPhrase(term, refuse) };
}

function toPhrase(text: string, refuse: (what: string) => Error): string[] {
  const words = wordsOf(text);
  if (words.length === 0) throw refuse(`"${text.slice(0, 40)}" has no letter and no digit`);
  return words;
}

class Reader {
  private readonly parts: readonly Part[];
  private readonly refuse: (what: string) => Error;
  private at = 0;

  constructor(parts: readonly Part[], refuse: (what: string) => Error) {
    this.parts = parts;
    this.refuse = refuse;
  }

  alternatives(depth: number): WordTree {
    if (depth > MAX_DEPTH) throw this.refuse(`It has more than ${MAX_DEPTH} parentheses within each other`);
    const any = [this.all(depth)];
    while (this.takesOp('or')) any.push(this.all(depth));
    return any.length === 1 ? any[0]! : { any };
  }

  end(): void {
    if (this.at < this.parts.length) throw this.refuse('A ) closes nothing');
  }

  private all(depth: number): WordTree {
    const all = [this.unit(depth)];
    while (this.takesOp('and') || this.isUnit()) all.push(this.unit(depth));
    return all.length === 1 ? all[0]! : { all };
  }

  private unit(depth: number): WordTree {
    const part = this.parts[this.at];
    if (!part || !this.isUnit())
      throw this.refuse('A word is missing at its beginning, its end, or beside and, or, ( or )');
    this.at += 1;
    if ('phrase' in part) return part;
    const tree = this.alternatives(depth + 1);
    const close = this.parts[this.at];
    if (!close || !('mark' in close)) throw this.refuse('A ( is not closed');
    this.at += 1;
    return tree;
  }

  private isUnit(): boolean {
    const part = this.parts[this.at];
    return part !== undefined && ('phrase' in part || ('mark' in part && part.mark === '('));
  }

  private takesOp(op: 'and' | 'or'): boolean {
    const part = this.parts[this.at];
    const isIt = part !== undefined && 'op' in part && part.op === op;
    if (isIt) this.at += 1;
    return isIt;
  }
}
