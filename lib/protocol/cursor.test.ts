import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatCursor, parseCursor } from './cursor.ts';

test('a cursor comes back as it went out', () => {
  const times = fc.date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(times, fc.uuid(), (at, id) => {
      const text = formatCursor({ at, id });
      expect(text).toMatch(/^[\w-]+$/);
      expect(parseCursor(text)).toEqual({ at, id });
    }),
  );
});

test('what is no cursor is undefined, whatever it is', () => {
  fc.assert(fc.property(fc.string(), (text) => parseCursor(text) === undefined));
});
