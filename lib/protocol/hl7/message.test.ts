import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Hl7Error } from './error.ts';
import { Hl7Message } from './message.ts';
import { Hl7Segment } from './segment.ts';

it.each(['\r', ''])(
  'its segments are its own: what is taken away or put there is so in the message (ends with %j)',
  (end) => {
    const message = Hl7Message.parse(`MSH|^~\\&|A\rEVN|A01\rZZZ|secret${end}`);
    message.segments.splice(2, 1);
    expect(message.toString()).toBe(`MSH|^~\\&|A\rEVN|A01${end}`);
    message.segments.push(new Hl7Segment(['NTE', '1']));
    expect(message.toString()).toBe(`MSH|^~\\&|A\rEVN|A01\rNTE|1${end}`);
    expect(message.segments).toBe(message.segments);
    expect(message.getSegment('NTE')?.toString()).toBe('NTE|1');
  },
);

const ADT = [
  'MSH|^~\\&|ADT1|GHH^2.16^ISO|EHR|GHHR|20080115153000||ADT^A01^ADT_A01|0123456789|P|2.5||||||8859/1',
  'PID|1||PATID1234^5^M11~555^^^SSA||EVERYMAN&von^ADAM\\T\\EVE^A^III||19610615|M',
  'NK1|1|NUCLEAR',
  'NK1|2|OTHER',
  'OBX|1|TX|||line one\\.br\\line two \\X0D\\ \\H\\bold\\N\\ C:\\dir\\file 5\\S\\2\\F\\3\\R\\4\\E\\ \\XC3A9\\ \\XE9\\',
  '',
].join('\r');

describe('reading', () => {
  const message = Hl7Message.parse(ADT);

  it('finds segments by name, by position and all of a name', () => {
    expect(message.header.name).toBe('MSH');
    expect(message.getSegment(1)?.name).toBe('PID');
    expect(message.getSegment('NK1')?.getField(1)?.toString()).toBe('1');
    expect(message.getAllSegments('NK1').map((segment) => segment.getComponent(2, 1))).toEqual(['NUCLEAR', 'OTHER']);
    expect(message.getSegment('ZZZ')).toBeUndefined();
    expect(message.getSegment(99)).toBeUndefined();
    expect(message.segments).toHaveLength(5);
  });

  it('counts fields as HL7 does, with MSH-1 the separator and MSH-2 the encoding characters', () => {
    expect(message.header.getField(1)?.toString()).toBe('|');
    expect(message.header.getField(2)?.toString()).toBe('^~\\&');
    expect(message.header.getComponent(2, 1)).toBe('^~\\&');
    expect(message.header.getField(3)?.toString()).toBe('ADT1');
    expect(message.header.getComponent(9, 2)).toBe('A01');
    expect(message.getSegment('PID')?.getField(0)?.toString()).toBe('PID');
    expect(message.getSegment('PID')?.getField(50)).toBeUndefined();
  });

  it('reads repetitions, components and sub-components, and nothing as an empty string', () => {
    const pid = message.getSegment('PID')!;
    expect(pid.getField(3)?.getComponent(1)).toBe('PATID1234');
    expect(pid.getField(3)?.getComponent(4, undefined, 1)).toBe('SSA');
    expect(pid.getField(5)?.getComponent(1, 1)).toBe('von');
    expect(pid.getField(5)?.get(0, 0)).toBe('EVERYMAN');
    expect(pid.getField(5)?.getComponent(9)).toBe('');
    expect(pid.getField(5)?.getComponent(1, 0, 7)).toBe('');
  });

  it('unescapes what is as long as a message may be', () => {
    const length = 4_000_000;
    const of = (hex: string) => Hl7Message.parse(`MSH|^~\\&|\rZZZ|\\X${hex.repeat(length)}\\`).getSegment('ZZZ')!;
    expect(of('E9').getComponent(1, 1)).toBe('é'.repeat(length));
    expect(of('41').getComponent(1, 1)).toBe('A'.repeat(length));
  });

  it('unescapes on access, after splitting, and leaves what is not an escape sequence', () => {
    expect(message.getSegment('PID')?.getComponent(5, 2)).toBe('ADAM&EVE');
    expect(message.getSegment('OBX')?.getComponent(5, 1)).toBe(
      'line one\nline two \r \\H\\bold\\N\\ C:\\dir\\file 5^2|3~4\\ é é',
    );
  });

  it('takes its separators from MSH', () => {
    const odd = Hl7Message.parse('MSH$%*!@$A%B$C\nPID$x@y%z*q!T!r');
    expect(odd.header.getComponent(3, 2)).toBe('B');
    expect(odd.getSegment('PID')?.getField(1)?.components).toEqual([['x@y', 'z'], ['q@r']]);
  });

  it('has no level that MSH-2 does not name', () => {
    const short = Hl7Message.parse('MSH|^|A^B~C&D\\T\\');
    expect(short.header.getField(3)?.components).toEqual([['A', 'B~C&D\\T\\']]);
    expect(() => short.header.setComponent(3, 1, 'x|y')).toThrow(Hl7Error);
    expect(() => short.header.setComponent(3, 1, 'x', 1)).toThrow(Hl7Error);
  });

  it('gives plain JSON whose fields[n - 1] is HL7 field n', () => {
    const [msh, pid] = JSON.parse(JSON.stringify(message));
    expect(msh.fields[1]).toEqual([['^~\\&']]);
    expect(msh.fields[8]).toEqual([['ADT', 'A01', 'ADT_A01']]);
    expect(pid.fields[2]).toEqual([
      ['PATID1234', '5', 'M11'],
      ['555', '', '', 'SSA'],
    ]);
  });
});

describe('text that is not one message', () => {
  it.each([
    '',
    'hello',
    'PID|1',
    'MSH',
    'MSHA^~\\&',
    'MSH|ABC|',
    'MSH|^^|',
    'FHS|^~\\&|',
    `BHS|^~\\&|\r${ADT}`,
    ADT + ADT,
  ])('is refused: %j', (text) => expect(() => Hl7Message.parse(text)).toThrow(Hl7Error));

  it('can be split when it is a batch', () => {
    const messages = Hl7Message.splitBatch(`FHS|^~\\&|\rBHS|^~\\&|\r${ADT}${ADT}BTS|2\rFTS|1\r`);
    expect(messages.map(String)).toEqual([ADT, ADT]);
  });
});

describe('writing', () => {
  it('gives back the text it was given, whatever was read of it', () => {
    const line = fc.string({ unit: 'binary' }).filter((text) => !text.startsWith('MSH') && !text.includes('\u001C'));
    const end = fc.constantFrom('\r', '\n', '\r\n', '\r\r');
    const prefix = fc.constantFrom('', '\uFEFF', '\n ');
    fc.assert(
      fc.property(prefix, fc.array(fc.tuple(line, end)), line, (before, lines, last) => {
        const text = `${before}MSH|^~\\&|A\r${lines.flat().join('')}${last}`;
        fc.pre(!/[\r\n]MSH\|/.test(text));
        const message = Hl7Message.parse(text);
        expect(message.toString()).toBe(text);
        JSON.stringify(message);
        expect(message.toString()).toBe(text);
      }),
    );
  });

  it('strips MLLP framing', () => {
    expect(Hl7Message.parse(`\u000B${ADT}\u001C\r`).toString()).toBe(ADT);
  });

  it('reads back every value that was set, and changes nothing else', () => {
    const index = fc.nat({ max: 4 });
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.nat({ max: 9 }),
        index,
        index,
        fc.option(index),
        (value, field, c, r, sub) => {
          const message = Hl7Message.parse(ADT);
          const pid = message.getSegment('PID')!;
          expect(pid.setComponent(field + 1, c + 1, value, sub ?? undefined, r)).toBe(true);
          expect(pid.getComponent(field + 1, c + 1, sub ?? undefined, r)).toBe(value);
          const again = Hl7Message.parse(message.toString());
          expect(again.getSegment('PID')?.getComponent(field + 1, c + 1, sub ?? undefined, r)).toBe(value);
          expect(again.segments).toHaveLength(5);
          expect(again.getSegment('OBX')?.toString()).toBe(Hl7Message.parse(ADT).getSegment('OBX')?.toString());
        },
      ),
    );
  });

  it('keeps a field in its place: field separators and line ends in HL7 text are escaped', () => {
    const message = Hl7Message.parse(ADT);
    message.getSegment('PID')?.setField(5, 'a^b\rZZZ|evil');
    expect(message.getSegment('PID')?.getField(5)?.components).toEqual([['a', 'b\rZZZ|evil']]);
    expect(Hl7Message.parse(message.toString()).getSegment('ZZZ')).toBeUndefined();
  });

  it('refuses to change what decides how the rest is read', () => {
    const message = Hl7Message.parse(ADT);
    expect(message.header.setField(1, '#')).toBe(false);
    expect(message.header.setField(2, '####')).toBe(false);
    expect(message.header.setComponent(2, 1, '#')).toBe(false);
    expect(message.setSegment(0, new Hl7Segment(['PID']))).toBe(false);
    expect(message.setSegment('PID', new Hl7Segment(['MSH', '^~\\&']))).toBe(false);
    expect(message.getSegment('PID')?.setComponent(0, 1, 'x')).toBe(false);
    expect(message.getSegment('PID')?.setComponent(3, 0, 'x')).toBe(false);
    expect(message.toString()).toBe(ADT);
  });

  it('replaces and appends segments with the message’s own line ends', () => {
    const message = Hl7Message.parse('MSH|^~\\&|A\nPID|1');
    expect(message.setSegment('PID', new Hl7Segment(['PID', '2']))).toBe(true);
    expect(message.setSegment(99, new Hl7Segment(['PV1', 'x']))).toBe(true);
    expect(message.toString()).toBe('MSH|^~\\&|A\nPID|2\nPV1|x\n');
    expect(new Hl7Message([new Hl7Segment(['MSH', '^~\\&', 'A']), 'PID|1']).toString()).toBe('MSH|^~\\&|A\rPID|1\r');
  });
});

describe('buildAck', () => {
  it('swaps the parties and names the message', () => {
    const ack = Hl7Message.parse(ADT).buildAck();
    expect([3, 4, 5, 6, 9, 11, 12].map((field) => ack.header.getField(field)?.toString())).toEqual([
      'EHR',
      'GHHR',
      'ADT1',
      'GHH^2.16^ISO',
      'ACK^A01^ACK',
      'P',
      '2.5',
    ]);
    expect(ack.getSegment('MSA')?.toString()).toBe('MSA|AA|0123456789|OK');
    expect(ack.toString().endsWith('\r')).toBe(true);
  });

  it('is in the character set of the message', () => {
    const message = Hl7Message.parse('MSH|^~\\&|A|B|C|D|2020||ADT^A01|1|P|2.5||||||8859/2~UNICODE\rPID|1');
    const ack = message.buildAck('AE', 'Łódź');
    expect(ack.header.getField(18)?.toString()).toBe('8859/2~UNICODE');
    expect(ack.header.getField(12)?.toString()).toBe('2.5');
  });

  it('takes a code and a text, or options with an ERR segment', () => {
    const message = Hl7Message.parse(ADT);
    const refused = message.buildAck('AE', 'no patient | 5');
    expect(refused.getSegment('MSA')?.getComponent(1, 1)).toBe('AE');
    expect(refused.getSegment('MSA')?.getComponent(3, 1)).toBe('no patient | 5');
    const errSegment = new Hl7Segment(['ERR', '', 'PID^1', '101']);
    expect(message.buildAck({ ackCode: 'AR', errSegment }).getSegment('ERR')?.getComponent(2, 2)).toBe('1');
  });
});
