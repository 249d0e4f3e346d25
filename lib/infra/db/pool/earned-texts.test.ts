import { describe, expect, it } from 'vitest';
import { createEarnedTexts } from './earned-texts.ts';

const HOUR = 60 * 60 * 1000;

describe('a text is prepared', () => {
  it('from the third time on', () => {
    const texts = createEarnedTexts({ most: 10 });
    expect(Array.from({ length: 4 }, () => texts.has('select 1'))).toEqual([false, false, true, true]);
  });

  it('not when it is very long', () => {
    const texts = createEarnedTexts({ most: 10 });
    const long = 'x'.repeat(20_000);
    expect(Array.from({ length: 4 }, () => texts.has(long))).toEqual([false, false, false, false]);
  });

  it('only while there are places, which come back as connections end', () => {
    let time = 0;
    let asked = 0;
    const texts = createEarnedTexts({ most: 10, now: () => time });
    const prepared = () => {
      let count = 0;
      for (let text = 0; text < 10_000; text += 1) {
        asked += 1;
        const name = `text ${asked}`;
        if ([texts.has(name), texts.has(name), texts.has(name)].includes(true)) count += 1;
      }
      return count;
    };
    expect(prepared()).toBe(10);
    expect(prepared()).toBe(0);
    time += HOUR / 10;
    expect(prepared()).toBe(1);
    time += 100 * HOUR;
    expect(prepared()).toBe(10);
  });

  it('goes on being prepared whatever else comes', () => {
    const texts = createEarnedTexts({ most: 10 });
    for (let time = 0; time < 3; time += 1) texts.has('hot');
    for (let text = 0; text < 1000; text += 1) {
      for (let time = 0; time < 3; time += 1) texts.has(`cold ${text}`);
      expect(texts.has('hot')).toBe(true);
    }
  });
});
