import { expect, test } from 'vitest';
import { createHolder } from './held-bytes.ts';

const MOST = 100;

test('when all is taken, the one that holds most of the project that holds most is sent away', () => {
  const away: string[] = [];
  const of = (project: string, name: string) => {
    const holder = createHolder(
      project,
      () => {
        away.push(name);
        holder.release();
      },
      MOST,
    );
    return holder;
  };
  const [small, one, two, three] = [of('a', 'small'), of('b', 'one'), of('b', 'two'), of('b', 'three')];
  one.hold(30, false);
  two.hold(40, false);
  three.hold(20, false);
  small.hold(5, false);
  expect(away).toEqual([]);
  small.hold(15, false);
  expect(away).toEqual(['two']);
  small.hold(35, false);
  expect(away).toEqual(['two']);
  // What came whole is answered, and who holds little waits for it no less than others.
  three.release();
  one.hold(80, true);
  small.hold(40, false);
  expect(away).toEqual(['two']);
  small.hold(60, false);
  expect(away).toEqual(['two', 'small']);
  for (const holder of [small, one, two, three]) holder.release();
});
