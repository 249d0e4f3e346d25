import { describe, expect, it } from 'vitest';
import { Hl7Message } from '#lib/protocol/hl7/message.ts';
import { fingerprint } from './fingerprint.ts';
import { patientsOf } from './patients-of.ts';

const MSH = 'MSH|^~\\&|LAB|GHH|EHR|GHHR|20260101||ORU^R01|42|P|2.5.1';
const of = (text: string) => patientsOf(Hl7Message.parse(text), text);

describe('the patients of a message', () => {
  it('are those of PID and MRG, wherever they stand, and of nothing that only looks like them', () => {
    const text = `${MSH}\rPIDX|1||no\rNTE|1||PID|1||no\rPID|1|A|B^^^X~C|D\u2028\nMRG|E^^^Y~F\rPID`;
    expect(of(text)).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
  });

  it('are a hundred at most, and found in what they stand in front of, whatever its length', () => {
    expect(of(`${MSH}${Array.from({ length: 40_000 }, (_, n) => `\rPID|1||P${n}`).join('')}`)).toHaveLength(100);
    expect(of(`${MSH}\rPID|1||A${'|'.repeat(8_000_000)}`)).toEqual(['A']);
  });
});

describe('a message that is sent again', () => {
  it('is the same with another date, also where something stands before it', () => {
    const [once, again] = [MSH, `\r\n${MSH.replace('20260101', '20260102')}`].map((text) =>
      fingerprint(Hl7Message.parse(`${text}\rPID|1||A`)),
    );
    expect(again).toBe(once);
  });
});
