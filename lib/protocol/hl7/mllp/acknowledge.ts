import { toWritable } from '../encoding.ts';
import { Hl7Field } from '../field.ts';
import { type Hl7AckCode, Hl7Message } from '../message.ts';
import { Hl7Segment } from '../segment.ts';

/** What is wrong, by HL7 table 0357, and where: the segment with its number, and the field in it. `text` goes to the sender. */
export type Fault = { code: keyof typeof ERROR_CODES; text: string; segment?: string; field?: number };

const ERROR_CODES = {
  '100': 'Segment sequence error',
  '101': 'Required field missing',
  '102': 'Data type error',
  '202': 'Unsupported processing id',
  '207': 'Application internal error',
};

/** For what has no header that could be answered. */
const NOBODY = 'MSH|^~\\&|||||||||P|2.5.1\r';

/** The acknowledgement of a message, with an ERR segment where something is wrong (HL7 v2.5.1 §2.14.5). Undefined: of what is none. */
export function acknowledge(message: Hl7Message | undefined, code: Hl7AckCode, fault?: Fault): Hl7Message {
  const answered = message ?? Hl7Message.parse(NOBODY);
  // Without MSH-10 there is nothing to name, and MSA-2 stays empty.
  return answered.buildAck({
    ackCode: code,
    ...(fault && { text: fault.text, errSegment: toErr(answered, fault) }),
  });
}

/** Before v2.5 all of it was one field, ERR-1. */
function toErr({ separators, header }: Hl7Message, { code, text, segment = '', field }: Fault): Hl7Segment {
  const place = segment === '' ? [] : [segment, '1', ...(field === undefined ? [] : [String(field)])];
  const name = [code, ERROR_CODES[code], 'HL70357'];
  if (separators.component === '') return new Hl7Segment(['ERR', '', '', code, 'E'], separators);
  const of = (components: string[]) => new Hl7Field([components], separators);
  const version = /^2\.(\d)/.exec(header.getComponent(12, 1))?.[1] ?? '5';
  if (Number(version) < 5) {
    const old = new Hl7Field([[...place, ...Array(3 - place.length).fill('')]], separators).toString();
    const inner = separators.subcomponent === '' ? code : name.slice(0, 2).join(separators.subcomponent);
    return new Hl7Segment(['ERR', `${old}${separators.component}${inner}`], separators);
  }
  return new Hl7Segment(
    ['ERR', '', of(place), of(name), 'E', '', '', '', of([toWritable(text, separators)])],
    separators,
  );
}
