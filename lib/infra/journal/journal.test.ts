import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, readdirSync, statSync, unlinkSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { findLeft, openJournal } from './journal.ts';

const FOLDER = `/dev/shm/gatehouse-${process.getuid?.()}`;
const LINE = 'x'.repeat(64 * 1024);

const filesOf = (pid: number) =>
  readdirSync(FOLDER)
    .filter((name) => name.includes(`.${pid}.`))
    .map((name) => `${FOLDER}/${name}`);

/** A process that keeps these lines, takes back so many of them, and is killed. */
async function leave(database: string, lines: string[], released = 0): Promise<number> {
  const args = [database, String(released), ...lines];
  const child = fork(`${process.cwd()}/lib/testing/processes/journal-process.ts`, args, { stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  return child.pid!;
}

test('a killed process leaves what it kept until somebody has seen it through', async () => {
  const database = newId();
  const lines = ['one', 'two\\n', 'äöü'];
  await leave(database, lines);
  const left = findLeft(database);
  expect(left.flatMap((each) => each.lines).sort()).toEqual(lines);
  expect(findLeft(database)).toHaveLength(left.length);
  // Two that begin at once both see it through.
  for (const { forget } of [...left, ...left]) forget();
  expect(findLeft(database)).toEqual([]);
});

test('what is needed no more is not left, and its files go', async () => {
  const database = newId();
  const pid = await leave(database, ['one', 'two'], 2);
  expect(findLeft(database)).toEqual([]);
  expect(filesOf(pid)).toEqual([]);
});

test('half a line at the end is nobody’s', async () => {
  const database = newId();
  const pid = await leave(database, ['whole']);
  const file = filesOf(pid).find((one) => statSync(one).size > 0)!;
  appendFileSync(file, 'hal');
  const left = findLeft(database);
  expect(left.map(({ lines }) => lines)).toEqual([['whole']]);
  for (const { forget } of left) forget();
});

test('what is for another database, or of one who lives, is left alone', async () => {
  const [own, other] = [newId(), newId()];
  const journal = openJournal(own);
  const release = journal.keep('mine');
  await leave(other, ['theirs']);
  expect(findLeft(own)).toEqual([]);
  const left = findLeft(other);
  expect(left.map(({ lines }) => lines)).toEqual([['theirs']]);
  for (const { forget } of left) forget();
  release?.();
  journal.close();
});

test('what was for a database that nobody asks for any more goes after a week', async () => {
  const pid = await leave(newId(), ['one', 'two', 'three']);
  findLeft(newId());
  const [file, ...others] = filesOf(pid);
  const longAgo = new Date(Date.now() - 8 * 86_400_000);
  utimesSync(file!, longAgo, longAgo);
  findLeft(newId());
  expect(filesOf(pid)).toEqual(others);
  for (const other of others) unlinkSync(other);
});

test('it comes to its end however much is kept, and holds so much at once', () => {
  const journal = openJournal(newId());
  const before = new Set(filesOf(process.pid));
  const kept: (() => void)[] = [];
  const keep = () => {
    const release = journal.keep(LINE);
    if (release) kept.push(release);
    return release !== undefined;
  };
  const size = () =>
    filesOf(process.pid)
      .filter((file) => !before.has(file))
      .reduce((sum, file) => sum + statSync(file).size, 0);
  for (let i = 0; i < 1000; i += 1) {
    expect(keep()).toBe(true);
    if (kept.length > 3) kept.shift()?.();
  }
  expect(size()).toBeLessThan(LINE.length * 16);
  while (keep());
  expect(size()).toBeLessThanOrEqual(4 * 1024 * 1024);
  for (const release of kept.splice(0)) release();
  expect(size()).toBe(0);
  expect(keep()).toBe(true);
  kept.pop()!();
  journal.close();
  expect(keep()).toBe(false);
});

test('nothing is kept in a folder that is not ours alone', async () => {
  const database = newId();
  await leave(database, ['one']);
  chmodSync(FOLDER, 0o770);
  try {
    expect(openJournal(newId()).keep('one')).toBeUndefined();
    expect(findLeft(database)).toEqual([]);
  } finally {
    chmodSync(FOLDER, 0o700);
  }
  for (const { forget } of findLeft(database)) forget();
});
