import { expect, it } from 'vitest';
import { runnerSizes } from './runner-sizes.ts';

const GIB = 2 ** 30;

it.each([
  ['two cores, one server process', 2, 8, 1, undefined, { processes: 2, maxProcesses: 16, idleMb: 128 }],
  ['three cores', 3, 8, 1, undefined, { processes: 3, maxProcesses: 16, idleMb: 68 }],
  ['one core', 1, 1, 1, undefined, { processes: 2, maxProcesses: 4, idleMb: 128 }],
  ['four cores, two server processes', 4, 16, 2, undefined, { processes: 2, maxProcesses: 16, idleMb: 24 }],
  ['eight cores, seven server processes', 8, 32, 7, undefined, { processes: 1, maxProcesses: 9, idleMb: 24 }],
  ['sixteen cores, one server process', 16, 64, 1, undefined, { processes: 16, maxProcesses: 32, idleMb: 24 }],
  ['sixteen cores, of which bots get four', 16, 64, 1, 4, { processes: 4, maxProcesses: 32, idleMb: 24 }],
  ['more server processes than processes for bots', 16, 64, 8, 2, { processes: 1, maxProcesses: 16, idleMb: 24 }],
])('%s', (_, cores, gib, servers, given, sizes) => {
  expect(runnerSizes(cores, gib * GIB, { SERVER_PROCESSES: servers, BOT_PROCESSES: given })).toEqual(sizes);
});
