import { expect, test } from 'vitest';
import { failsMore } from './fails-more.ts';

const figures = (runs: number, failed: number, liveRuns: number, liveFailed: number, failedInRow = 1) => ({
  canary: { runs, failed, failedInRow },
  live: { runs: liveRuns, failed: liveFailed },
});
const outage = (meanwhile: { runs: number; failed: number }) => ({ ...figures(105, 6, 1045, 55, 5), meanwhile });

test.each([
  ['every run fails while the live one does well', figures(4, 4, 40, 0), true],
  ['a fifth fails where one in a hundred did', figures(50, 10, 450, 5), true],
  ['five in a row before the live one has run at all', figures(5, 5, 0, 0, 5), true],
  ['five in a row while the live one mostly does well', figures(30, 5, 3, 0, 5), true],
  ['five in a row while the live one did well meanwhile', outage({ runs: 45, failed: 2 }), true],
  ['five in a row while the live one fails, too, since an hour', outage({ runs: 45, failed: 45 }), false],
  ['two failures say nothing', figures(2, 2, 1000, 0), false],
  ['what fails as often as the live one is no worse', figures(50, 25, 450, 225), false],
  ['all fails, on both', figures(20, 20, 100, 100, 20), false],
  ['a failure more than expected', figures(100, 3, 900, 15), false],
  ['it fails less', figures(100, 3, 900, 300), false],
])('%s', (_, given, expected) => {
  expect(failsMore(given)).toBe(expected);
});
