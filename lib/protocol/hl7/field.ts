import { escapeHl7, HL7_SEPARATORS, type Hl7Separators, joinWith, splitBy, unescapeHl7 } from './encoding.ts';

/** One field: repetitions of components of sub-components. Components count from 1, the other two from 0, as bots written for Medplum expect. */
export class Hl7Field {
  readonly separators: Hl7Separators;
  #text: string;
  #literal: boolean;

  /** HL7 text, or plain values (repetitions of components) that are escaped. */
  constructor(value: string | string[][], separators: Hl7Separators = HL7_SEPARATORS, literal = false) {
    this.separators = separators;
    this.#literal = literal;
    this.#text = typeof value === 'string' ? value : joinRepetitions(value, separators);
    // A field cannot hold these as they are: they would end it, or start another segment.
    if (!literal && (/[\r\n]/.test(this.#text) || this.#text.includes(separators.field))) {
      this.#text = escapeHl7(this.#text, { field: separators.field, escape: separators.escape }, false);
    }
  }

  static parse(text: string, separators: Hl7Separators = HL7_SEPARATORS): Hl7Field {
    return new Hl7Field(text, separators);
  }

  get components(): string[][] {
    if (this.#literal) return [[this.#text]];
    const { component, repetition } = this.separators;
    return splitBy(this.#text, repetition).map((part) => splitBy(part, component).map((value) => this.#plain(value)));
  }

  /** Components from 0. */
  get(component: number, subcomponent?: number, repetition?: number): string {
    return this.getComponent(component + 1, subcomponent, repetition);
  }

  /** The value, unescaped; '' when there is none. Without `subcomponent` the whole component. */
  getComponent(component = 1, subcomponent?: number, repetition = 0): string {
    if (this.#literal) return component === 1 ? this.#text : '';
    const parts = splitBy(splitBy(this.#text, this.separators.repetition)[repetition] ?? '', this.separators.component);
    const whole = parts[component - 1] ?? '';
    const value = subcomponent === undefined ? whole : splitBy(whole, this.separators.subcomponent)[subcomponent];
    return this.#plain(value ?? '');
  }

  /** Sets a plain value, escaped as it must be. False for an index that cannot be. */
  setComponent(component: number, value: string, subcomponent?: number, repetition = 0): boolean {
    const path = [repetition, component - 1, ...(subcomponent === undefined ? [] : [subcomponent])];
    if (this.#literal || path.some((index) => !Number.isInteger(index) || index < 0)) return false;
    const levels = [this.separators.repetition, this.separators.component, this.separators.subcomponent];
    this.#text = setAt(this.#text, levels, path, escapeHl7(String(value), this.separators));
    return true;
  }

  toString(): string {
    return this.#text;
  }

  #plain(text: string): string {
    return unescapeHl7(text, this.separators);
  }
}

function joinRepetitions(repetitions: string[][], separators: Hl7Separators): string {
  const parts = repetitions.map((components) =>
    joinWith(
      components.map((value) => escapeHl7(value, separators)),
      separators.component,
    ),
  );
  return joinWith(parts, separators.repetition);
}

function setAt(
  text: string,
  [separator = '', ...levels]: string[],
  [index = 0, ...path]: number[],
  value: string,
): string {
  const parts = splitBy(text, separator);
  while (parts.length <= index) parts.push('');
  parts[index] = path.length === 0 ? value : setAt(parts[index]!, levels, path, value);
  return joinWith(parts, separator);
}
