import { describe, expect, test } from 'vitest';
import { compareHl7, isHl7, MOST_COMPARED } from './compare.ts';
import { outlineHl7 } from './outline.ts';
import { HL7_SAMPLES } from './samples.ts';

const TEXT = 'MSH|^~\\&|ADT|HILLSIDE|||2026||ADT^A01|M1|P|2.5.1\nPID|1||RN-1^^^H^MR~X2||Everyday^Eve\rZZ1|x';

describe('the outline of a message', () => {
  test('fields have HL7’s numbers, and everything its place in the text', () => {
    const [header, patient, own] = outlineHl7(TEXT);
    expect(header!.parts.map(({ path, value }) => `${path}=${value}`)).toEqual([
      'MSH-2=^~\\&',
      'MSH-3=ADT',
      'MSH-4=HILLSIDE',
      'MSH-7=2026',
      'MSH-9=ADT^A01',
      'MSH-10=M1',
      'MSH-11=P',
      'MSH-12=2.5.1',
    ]);
    expect(patient!.parts.map(({ path, value }) => `${path}=${value}`)).toEqual([
      'PID-1=1',
      'PID-3=RN-1^^^H^MR',
      'PID-3=X2',
      'PID-5=Everyday^Eve',
    ]);
    expect(patient!.parts[1]!.parts.map(({ path }) => path)).toEqual(['PID-3.1', 'PID-3.4', 'PID-3.5']);
    expect(own!.path).toBe('ZZ1');
    const all = [header!, patient!, own!].flatMap((part) => [
      part,
      ...part.parts,
      ...part.parts.flatMap((x) => x.parts),
    ]);
    for (const { from, to, value } of all) expect(TEXT.slice(from, to)).toBe(value);
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
  });

  test('what is not a message yet is outlined by the usual separators, and never thrown at', () => {
    expect(outlineHl7('PID|1||A^B')[0]!.parts.map(({ path }) => path)).toEqual(['PID-1', 'PID-3']);
    expect(outlineHl7('')).toEqual([]);
    expect(outlineHl7('MSH')[0]!.parts).toEqual([]);
  });

  test('a message without end costs no more than 500 lines', () => {
    expect(outlineHl7('PID|1\n'.repeat(20_000))).toHaveLength(500);
    expect(outlineHl7('PID|1\n'.repeat(20_000), 2000)).toHaveLength(2000);
  });

  test('every sample is a message', () => {
    for (const { text } of HL7_SAMPLES) expect([isHl7(text), outlineHl7(text)[0]!.path]).toEqual([true, 'MSH']);
  });
});

describe('the difference of two messages', () => {
  test('fields that changed, came and went; ends of lines are none', () => {
    const before = 'MSH|^~\\&|A\rMSA|AA|M1\rNTE|1|old\rNTE|2|same';
    const after = 'MSH|^~\\&|A\nMSA|AE|M1|no\nNTE|1|old\nNTE|2|other';
    expect(compareHl7(before, after).changes).toEqual([
      { key: 'MSA-1', path: 'MSA-1', before: 'AA', after: 'AE' },
      { key: 'MSA-3', path: 'MSA-3', before: undefined, after: 'no' },
      { key: 'NTE[2]-2', path: 'NTE[2]-2', before: 'same', after: 'other' },
    ]);
    expect(compareHl7(before, before)).toEqual({ changes: [], isCut: false });
  });

  test('a field behind what is outlined counts; what is not looked at any more is said', () => {
    const message = (count: number, last: string) => `MSH|^~\\&|A\r${'NTE|1|x\r'.repeat(count)}NTE|2|${last}`;
    const { changes, isCut } = compareHl7(message(600, 'old'), message(600, 'new'));
    expect([changes.map(({ path }) => path), isCut]).toEqual([['NTE[601]-2'], false]);
    const most = compareHl7(message(MOST_COMPARED, 'old'), message(MOST_COMPARED, 'new'));
    expect(most).toEqual({ changes: [], isCut: true });
    expect(compareHl7(message(MOST_COMPARED - 2, 'x'), message(MOST_COMPARED - 2, 'x')).isCut).toBe(false);
  });

  test('a segment of more fields than anybody reads is compared as a whole', () => {
    const long = (last: string) => `PID|${'~'.repeat(1 << 20)}${last}`;
    const [change, ...others] = compareHl7(long('a'), long('b')).changes;
    expect([change?.path, change?.after, others]).toEqual(['PID', long('b'), []]);
  });
});
