import { Hl7Message as CoreMessage, Hl7Segment as CoreSegment } from '@medplum/core';
import { expect, it } from 'vitest';
import { Hl7Message } from './message.ts';

/**
 * A bot that imports nothing from the peer's core is given a message of ours: what both have must answer the same, on messages as they
 * are sent. What ours alone does stands in message.test.ts.
 */
const MESSAGES: [string, string[]][] = [
  [
    'an admission',
    [
      'MSH|^~\\&|ADT1|GOOD HEALTH|GHH|LAB|202401020304||ADT^A01^ADT_A01|MSG-1|P|2.5.1',
      'EVN|A01|202401020304',
      'PID|1||9^^^HOSP^MR~123^^^SSN^SS||LOVELACE^ADA^B^^DR||19901210|F|||1 MAIN ST^^LONDON^^W1^UK||^PRN^PH^^44^20^555',
      'PV1|1|I|ICU^12^A||||1234^HOPPER^GRACE^^^DR',
      'NK1|1|BYRON^ANNE|MTH',
      'NK1|2|KING^WILLIAM|SPO',
    ],
  ],
  [
    'results',
    [
      'MSH|^~\\&|LAB|HOSP|GH|GH|20240102030405.123+0100||ORU^R01|42|P|2.3',
      'PID|||555-44-4444',
      'OBR|1|845439^GHH OE|1045813^GHH LAB|15545^GLUCOSE^L|||200202150730',
      'OBX|1|NM|1554-5^GLUCOSE^LN||182|mg/dl|70_105|H|||F',
      'OBX|2|TX|note&sub^a&b^L||first~second||||||F',
    ],
  ],
  ['other separators', ['MSH#*~\\&#A#B#C#D#2024##ADT*A08#7#T#2.4', 'PID#1##1*2*3']],
  ['a header alone', ['MSH|^~\\&|A|B|C|D|2024||ADT^A01|1|P|2.5']],
];

const cases = MESSAGES.flatMap(([name, segments]) => [
  [`${name}, ended by CR`, segments.join('\r')] as const,
  [`${name}, ended by LF`, segments.join('\n')] as const,
]);

const PLACES: [number, number | undefined][] = [1, 2, 3].flatMap((at) => [
  [at, undefined],
  [at, 0],
  [at, 1],
]);
const FAILS = Symbol('fails');

function within<T>(ask: () => T): T | typeof FAILS {
  try {
    return ask();
  } catch {
    return FAILS;
  }
}

it.each(cases)('reads what core reads: %s', (_, text) => {
  const [ours, core] = [Hl7Message.parse(text), CoreMessage.parse(text)];
  expect(ours.segments.map(({ name }) => name)).toEqual(core.segments.map(({ name }) => name));
  for (const [index, segment] of core.segments.entries()) {
    const own = ours.getSegment(index)!;
    expect(own.toString()).toBe(segment.toString());
    expect(ours.getAllSegments(segment.name).map(String)).toEqual(core.getAllSegments(segment.name).map(String));
    for (let at = 0; at <= segment.fields.length; at += 1) {
      const where = `${segment.name}-${at}`;
      expect(String(own.getField(at) ?? ''), where).toBe(String(segment.getField(at) ?? ''));
      if (segment.name === 'MSH' && at < 3) continue;
      expect(own.getField(at)?.components ?? [], where).toEqual(segment.getField(at)?.components ?? []);
      for (const [component, subcomponent] of PLACES) {
        const told = within(() => segment.getComponent(at, component, 0, subcomponent));
        // Core fails at a field that is not there; ours is empty.
        if (told !== FAILS) expect(own.getComponent(at, component, 0, subcomponent) ?? '', where).toBe(told ?? '');
      }
    }
  }
  const plain = (message: string) => message.trim().split(/[\r\n]+/);
  expect(plain(ours.toString())).toEqual(plain(core.toString()));
});

it.each(cases)(
  'acknowledges as core does, but for its number, its time, and MSH-9 and 11 as the book has them: %s',
  (_, text) => {
    const [ours, core] = [Hl7Message.parse(text).buildAck(), CoreMessage.parse(text).buildAck()];
    const fields = (segment: { getField(at: number): unknown }, ...at: number[]) =>
      at.map((one) => String(segment.getField(one) ?? ''));
    const header = [3, 4, 5, 6, 12];
    expect(fields(ours.getSegment('MSH')!, ...header)).toEqual(fields(core.getSegment('MSH')!, ...header));
    expect(fields(ours.getSegment('MSA')!, 1, 2)).toEqual(fields(core.getSegment('MSA')!, 1, 2));
  },
);

it('changes what core changes', () => {
  const text = MESSAGES[0]![1].join('\r');
  const [ours, core] = [Hl7Message.parse(text), CoreMessage.parse(text)];
  for (const message of [ours, core]) {
    const pid = message.getSegment('PID')!;
    expect(pid.setField(8, 'M')).toBe(true);
    expect(pid.setComponent(5, 2, 'ANN')).toBe(true);
    expect(pid.setField(40, 'x')).toBe(true);
  }
  expect(ours.getSegment('PID')!.toString()).toBe(core.getSegment('PID')!.toString());
  expect(core.getSegment('PID')).toBeInstanceOf(CoreSegment);
});
