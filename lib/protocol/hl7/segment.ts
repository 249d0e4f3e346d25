import { HL7_SEPARATORS, type Hl7Separators, joinWith, splitBy } from './encoding.ts';
import { Hl7Field } from './field.ts';

/** One segment. Field numbers are HL7's own, from 1: MSH-1 is the separator, MSH-2 the encoding characters. */
export class Hl7Segment {
  readonly separators: Hl7Separators;
  readonly name: string;
  #fields: Hl7Field[];

  /** `fields[0]` is the name; for MSH the encoding characters follow. Strings are HL7 text: `a^b` is two components. */
  constructor(fields: (Hl7Field | string)[], separators: Hl7Separators = HL7_SEPARATORS) {
    this.separators = separators;
    this.name = fields[0]?.toString() ?? '';
    this.#fields = fields.map((field, index) => this.#toField(field, index));
  }

  static parse(text: string, separators: Hl7Separators = HL7_SEPARATORS): Hl7Segment {
    return new Hl7Segment(splitBy(text, separators.field), separators);
  }

  /** As they stand in the text: the name first, and in MSH one place before their HL7 number. */
  get fields(): Hl7Field[] {
    return [...this.#fields];
  }

  get(index: number): Hl7Field | undefined {
    return this.#fields[index];
  }

  /** By HL7 number (0 is the name); undefined when the segment is shorter. */
  getField(number: number): Hl7Field | undefined {
    if (!this.#isHeader() || number === 0) return this.#fields[number];
    return number === 1 ? new Hl7Field(this.separators.field, this.separators, true) : this.#fields[number - 1];
  }

  /** `getField(field).getComponent(…)`, or '' when there is no such field. */
  getComponent(field: number, component: number, subcomponent?: number, repetition?: number): string {
    return this.getField(field)?.getComponent(component, subcomponent, repetition) ?? '';
  }

  /** Strings are HL7 text. False for the name, MSH-1 and MSH-2: they decide how the rest is read. */
  setField(number: number, value: Hl7Field | string): boolean {
    const index = this.#isHeader() ? number - 1 : number;
    if (!Number.isInteger(index) || index < (this.#isHeader() ? 2 : 1)) return false;
    while (this.#fields.length <= index) this.#fields.push(new Hl7Field('', this.separators));
    this.#fields[index] = this.#toField(value, index);
    return true;
  }

  setComponent(field: number, component: number, value: string, subcomponent?: number, repetition?: number): boolean {
    if (this.getField(field) === undefined && !this.setField(field, '')) return false;
    return this.getField(field)!.setComponent(component, value, subcomponent, repetition);
  }

  toString(): string {
    return joinWith(this.#fields.map(String), this.separators.field);
  }

  /** `fields[n - 1]` is HL7 field n: repetitions of components, unescaped. */
  toJSON(): { name: string; fields: string[][][] } {
    const fields = this.#fields.slice(1).map((field) => field.components);
    return { name: this.name, fields: this.#isHeader() ? [[[this.separators.field]], ...fields] : fields };
  }

  #isHeader(): boolean {
    return this.name === 'MSH';
  }

  #toField(value: Hl7Field | string, index: number): Hl7Field {
    if (typeof value !== 'string') return value;
    return new Hl7Field(value, this.separators, index === 0 || (index === 1 && this.#isHeader()));
  }
}
