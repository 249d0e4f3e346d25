import { describe, expect, it } from 'vitest';
import { Hl7Message } from '../message.ts';
import { acknowledge } from './acknowledge.ts';
import { answersOf, isAskedFor } from './answers-of.ts';
import { readMessage } from './read-message.ts';

const MSH = 'MSH|^~\\&|LAB|GHH|EHR|GHHR|20260101||ORU^R01|42|P|2.5.1';
const bytes = (text: string) => new TextEncoder().encode(text);
const lines = (message: Hl7Message) => message.toString().split('\r');

describe('acknowledgements', () => {
  it('name the message, and what is wrong with it as v2.5 has it', () => {
    const [, msa, err] = lines(
      acknowledge(Hl7Message.parse(MSH), 'AE', { code: '101', text: 'PID-3 | is missing', segment: 'PID', field: 3 }),
    );
    expect(msa).toBe('MSA|AE|42|PID-3 \\F\\ is missing');
    expect(err).toBe('ERR||PID^1^3|101^Required field missing^HL70357|E||||PID-3 \\F\\ is missing');
  });

  it('say it in one field to who is older', () => {
    const old = Hl7Message.parse(MSH.replace('2.5.1', '2.3'));
    const [, , err] = lines(acknowledge(old, 'AR', { code: '207', text: 'no' }));
    expect(err).toBe('ERR|^^^207&Application internal error');
  });

  it('are also given to what has no header', () => {
    const [header, msa] = lines(acknowledge(undefined, 'AR', { code: '100', text: 'no' }));
    expect(header).toMatch(/^MSH\|\^~\\&\|.*\|ACK\|\d+\|P\|2\.5\.1$/);
    expect(msa).toBe('MSA|AR||no');
  });
});

describe('which are asked for', () => {
  it.each([
    ['', '', { enhanced: false, accept: 'NE', application: 'AL' }],
    ['AL', 'NE', { enhanced: true, accept: 'AL', application: 'NE' }],
    ['', 'ER', { enhanced: true, accept: 'NE', application: 'ER' }],
    ['what', '', { enhanced: true, accept: 'AL', application: 'NE' }],
  ])('MSH-15 %j, MSH-16 %j', (accept, application, answers) => {
    expect(answersOf(Hl7Message.parse(`${MSH}|||${accept}|${application}`))).toEqual(answers);
  });

  it('always, never, of what is wrong, of what is right', () => {
    const of = (condition: 'AL' | 'NE' | 'ER' | 'SU') => [isAskedFor(condition, true), isAskedFor(condition, false)];
    expect([of('AL'), of('NE'), of('ER'), of('SU')]).toEqual([
      [true, true],
      [false, false],
      [false, true],
      [true, false],
    ]);
  });
});

describe('messages that are refused, with the header that they have', () => {
  it.each([
    ['no message at all', 'hello', '100', undefined],
    ['a batch', `FHS|^~\\&|\r${MSH}\r`, '100', undefined],
    ['two in one', `${MSH}\r${MSH}\r`, '100', '42'],
    ['without a control ID', MSH.replace('|42|', '||'), '101', ''],
    ['without a type', MSH.replace('ORU^R01', ''), '101', '42'],
    ['with a NUL', `${MSH}\rNTE|1||\u0000`, '102', '42'],
    ['with a control ID of no end', MSH.replace('42', '4'.repeat(200)), '102', '4'.repeat(200)],
    ['of more segments than anybody has', `${MSH}${'\rA'.repeat(50_000)}`, '102', '42'],
    ['with a header of no end', `${MSH}${'|'.repeat(66_000)}`, '102', '42'],
    ['in a character set that is none', `${MSH}||||||KLINGON`, '102', '42'],
  ])('%s', (_, text, code, controlId) => {
    const read = readMessage(bytes(text));
    expect(read.fault?.code).toBe(code);
    expect(read.message?.header.getField(10)?.toString()).toBe(controlId);
  });

  it('in bytes that are not of the character set', () => {
    const read = readMessage(Uint8Array.of(...bytes(`${MSH}||||||UNICODE UTF-8\rPID|1|`), 0xff));
    expect(read.fault).toMatchObject({ code: '102', segment: 'MSH', field: 18 });
  });

  it('but not what is in another set', () => {
    const read = readMessage(Uint8Array.of(...bytes(`${MSH}||||||8859/1\rPID|1|`), 0xe9));
    expect([read.fault, read.text.at(-1)]).toEqual([undefined, 'é']);
  });
});
