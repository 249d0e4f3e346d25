import { escapeHl7, HL7_SEPARATORS, type Hl7Separators, readSeparators, toWritable } from './encoding.ts';
import { Hl7Error } from './error.ts';
import { Hl7Segment } from './segment.ts';

export type Hl7AckCode = 'AA' | 'AE' | 'AR' | 'CA' | 'CE' | 'CR';
export type Hl7AckOptions = { ackCode?: Hl7AckCode; text?: string; errSegment?: Hl7Segment };

/**
 * One HL7 v2 message (ER7). Segments are parsed when first asked for; `toString()` of an unchanged message is its text
 * without MLLP framing. `parse` throws Hl7Error for what does not start with MSH and for more than one message.
 */
export class Hl7Message {
  readonly separators: Hl7Separators;
  #prefix = '';
  #segments: (Hl7Segment | string)[];
  #ends: string[];
  /** Whether the last segment has an end, too. */
  #isEnded = true;

  constructor(segments: (Hl7Segment | string)[], separators: Hl7Separators = HL7_SEPARATORS) {
    this.separators = separators;
    this.#segments = [...segments];
    this.#ends = segments.map(() => '\r');
  }

  static parse(text: string): Hl7Message {
    const unframed = stripFraming(text);
    const [prefix] = /^[\uFEFF\s]*/.exec(unframed)!;
    const body = unframed.slice(prefix.length);
    if (/^[FB]HS/.test(body))
      throw new Hl7Error('This is an HL7 batch (FHS/BHS): send one message, or split the batch');
    const separators = readSeparators(body);
    const parts = body.split(/([\r\n]+)/);
    const message = new Hl7Message([], separators);
    message.#prefix = prefix;
    message.#segments = parts.filter((_, index) => index % 2 === 0);
    message.#ends = parts.filter((_, index) => index % 2 === 1);
    // Text that ends with a segment end leaves one empty part behind it.
    if (message.#segments.at(-1) === '') message.#segments.pop();
    message.#isEnded = message.#ends.length >= message.#segments.length;
    if (message.#segments.some((segment, index) => index > 0 && isNamed(segment, 'MSH', separators))) {
      throw new Hl7Error('This holds more than one MSH segment: send one message at a time');
    }
    return message;
  }

  /** The messages of a batch (FHS/BHS … BTS/FTS), or of several messages in a row; the envelope is dropped. */
  static splitBatch(text: string): Hl7Message[] {
    const lines = stripFraming(text).split(/(?<=[\r\n])(?=[^\r\n])/);
    const messages: string[] = [];
    for (const line of lines) {
      const name = line.replace(/^\uFEFF/, '').slice(0, 3);
      const isEnvelope = ['FHS', 'BHS', 'BTS', 'FTS'].includes(name);
      if (isEnvelope || (messages.length === 0 && line.trim() === '')) continue;
      if (name === 'MSH' || messages.length === 0) messages.push(line);
      else messages[messages.length - 1] += line;
    }
    return messages.map((message) => Hl7Message.parse(message));
  }

  /** The message's own: what is put there, or taken away, is so in the message. */
  get segments(): Hl7Segment[] {
    for (let index = 0; index < this.#segments.length; index += 1) this.#at(index);
    return this.#segments as Hl7Segment[];
  }

  get header(): Hl7Segment {
    return this.#at(0)!;
  }

  /** By position (0 is the header) or the first of that name. */
  getSegment(key: number | string): Hl7Segment | undefined {
    return this.#at(typeof key === 'number' ? key : this.#find(key));
  }

  getAllSegments(name: string): Hl7Segment[] {
    return this.#segments.flatMap((segment, index) =>
      isNamed(segment, name, this.separators) ? [this.#at(index)!] : [],
    );
  }

  get(key: number | string): Hl7Segment | undefined {
    return this.getSegment(key);
  }

  getAll(name: string): Hl7Segment[] {
    return this.getAllSegments(name);
  }

  /** Replaces; a position past the end appends. False when nothing has that name, or the header would stop being MSH. */
  setSegment(key: number | string, segment: Hl7Segment): boolean {
    const index = typeof key === 'number' ? key : this.#find(key);
    if (index < 0 || (index === 0) !== (segment.name === 'MSH')) return false;
    if (index >= this.#segments.length) this.addSegment(segment);
    else this.#segments[index] = segment;
    return true;
  }

  addSegment(segment: Hl7Segment): void {
    this.#segments.push(segment);
    this.#isEnded = true;
  }

  /** The acknowledgement: sender and receiver swapped, MSA naming this message's control id (HL7 v2.5.1 §2.9.2). */
  buildAck(answer: Hl7AckOptions | Hl7AckCode = {}, text?: string): Hl7Message {
    const options = typeof answer === 'string' ? { ackCode: answer, text } : answer;
    const code = options.ackCode ?? 'AA';
    const raw = (field: number) => this.header.getField(field)?.toString() ?? '';
    const { component } = this.separators;
    const event = component === '' ? '' : this.header.getComponent(9, 2);
    const said = (words: string) => escapeHl7(toWritable(words, this.separators), this.separators);
    const type = event === '' ? 'ACK' : ['ACK', said(event), 'ACK'].join(component);
    const now = new Date().toISOString().replace(/\D/g, '');
    const header = [
      'MSH',
      raw(2),
      raw(5),
      raw(6),
      raw(3),
      raw(4),
      `${now.slice(0, 14)}.${now.slice(14)}+0000`,
      '',
      type,
      now,
    ];
    const note = said(options.text ?? (code.endsWith('A') ? 'OK' : ''));
    const ack = new Hl7Message([], this.separators);
    // The answer is written as the message was (MSH-18), whoever reads it.
    const charset = raw(18) === '' ? [] : ['', '', '', '', '', raw(18)];
    for (const fields of [
      [...header, raw(11), raw(12), ...charset],
      ['MSA', code, raw(10), note],
    ]) {
      ack.addSegment(new Hl7Segment(fields, this.separators));
    }
    if (options.errSegment) ack.addSegment(options.errSegment);
    return ack;
  }

  toString(): string {
    const last = this.#segments.length - 1;
    const endOf = (index: number) =>
      index < last || this.#isEnded ? (this.#ends[index] ?? this.#ends[0] ?? '\r') : '';
    return this.#prefix + this.#segments.map((segment, index) => segment.toString() + endOf(index)).join('');
  }

  toJSON(): { name: string; fields: string[][][] }[] {
    return this.segments.map((segment) => segment.toJSON());
  }

  #at(index: number): Hl7Segment | undefined {
    const segment = this.#segments[index];
    if (typeof segment !== 'string') return segment;
    const parsed = Hl7Segment.parse(segment, this.separators);
    this.#segments[index] = parsed;
    return parsed;
  }

  #find(name: string): number {
    return this.#segments.findIndex((segment) => isNamed(segment, name, this.separators));
  }
}

// MLLP: <VT> message <FS><CR>.
function stripFraming(text: string): string {
  const unended = text.endsWith('\u001C\r') ? text.slice(0, -1) : text;
  return unended.endsWith('\u001C') ? unended.slice(text.startsWith('\v') ? 1 : 0, -1) : text.replace(/^\v/, '');
}

function isNamed(segment: Hl7Segment | string, name: string, separators: Hl7Separators): boolean {
  if (typeof segment !== 'string') return segment.name === name;
  return segment === name || segment.startsWith(name + separators.field);
}
