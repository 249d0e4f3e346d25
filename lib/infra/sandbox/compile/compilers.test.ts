import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { findWalls } from '../walls/find-walls.ts';
import { bundleBot } from './bundle.ts';
import { type Compilers, type CompilersOptions, createCompilers } from './compilers.ts';

const FINE = program('export const handler = () => 1;');
/** Each name is twice as long as the one before, and all are written out. */
const bombOf = (doublings: number) =>
  program(
    `enum A { a0 = 'xxxxxxxx'${Array.from({ length: doublings }, (_, i) => `, a${i + 1} = a${i} + a${i}`).join('')} };
     export const handler = () => A.a${doublings};`,
  );
const CLIMB = program(`export const handler = (m, e) => require('${'../'.repeat(40)}' + e.input);`);
/** Seconds of the compiler's time, and little memory. */
const LONG = program(`export const handler = () => ${'a + '.repeat(1_000_000)}1;`);

let compilers: Compilers;
afterEach(() => compilers.close());

function using(options: CompilersOptions = {}): Compilers {
  compilers = createCompilers(options);
  return compilers;
}

function program(source: string) {
  return { source, filename: 'index.ts' };
}

const textOf = (result: Awaited<ReturnType<typeof bundleBot>>) => (result.ok ? 'ok' : result.errors[0]!.text);

describe('what compiles bots', () => {
  it.runIf(process.getuid?.() === 0)(
    'goes nowhere from its folder, however far a source climbs, fifty at once',
    async () => {
      const { user } = await findWalls();
      if (!user) return;
      // One walk through a machine takes longer than all of these.
      const ours = using();
      const all = Array.from({ length: 50 }, (_, i) => bundleBot(`p${i % 3}`, i % 2 ? CLIMB : FINE, ours));
      const texts = (await Promise.all(all)).map(textOf);
      expect(texts.filter((text) => text === 'ok')).toHaveLength(25);
      expect(texts.filter((text) => text.includes('written out whole'))).toHaveLength(25);
      expect(ours.pids().length).toBeLessThanOrEqual(2);
    },
  );

  it('ends a source that takes too long, and nobody else’s', async () => {
    const ours = using({ buildMs: 300 });
    await bundleBot('p', FINE, ours);
    const [long, fine] = await Promise.all([bundleBot('p', LONG, ours), bundleBot('p', FINE, ours)]);
    expect(textOf(long)).toContain('takes too long');
    expect(textOf(fine)).toBe('ok');
  });

  it('gives nothing to compile to a process that it is ending', async () => {
    const ours = using({ buildMs: 300 });
    await Promise.all([bundleBot('p', FINE, ours), bundleBot('p', FINE, ours)]);
    for (let round = 0; round < 3; round += 1) {
      const spoiled = [0, 1].map(() => ours.compile('p', LONG));
      await Promise.race(spoiled);
      expect(await ours.compile('q', FINE)).toMatchObject({ ok: true });
      expect(await Promise.all(spoiled)).toEqual(['too-long', 'too-long']);
    }
  });

  it('ends a source that takes more memory than there is for it', async () => {
    const ours = using({ memoryMb: 400 });
    const [bomb, fine] = await Promise.all([bundleBot('p', bombOf(40), ours), bundleBot('q', FINE, ours)]);
    expect(textOf(bomb)).toContain('cannot get through this source');
    expect(textOf(fine)).toBe('ok');
  });

  it('refuses what becomes larger than a bot may be', async () => {
    expect(textOf(await bundleBot('p', bombOf(22), using()))).toContain('larger than 16 MiB');
  });

  it('compiles again what was lost with its process, and says so when that is lost, too', async () => {
    const ours = using();
    await bundleBot('p', FINE, ours);
    const once = bundleBot('p', LONG, ours);
    await killedInIt(ours);
    expect(textOf(await once)).toBe('ok');
    const twice = bundleBot('p', LONG, ours);
    await killedInIt(ours);
    await killedInIt(ours);
    expect(textOf(await twice)).toContain('cannot get through this source');
  });

  it('leaves nothing running when one is ended', async () => {
    const ours = using();
    const long = bundleBot('p', LONG, ours);
    await expect.poll(() => ours.pids().some(hasChild)).toBe(true);
    const groups = await killed(ours);
    await long;
    for (const group of groups) await expect.poll(() => processesOf(group)).toEqual([]);
  });

  it('lets so many of a project wait, and those of others no less', async () => {
    const ours = using({ processes: 1, mostWaiting: 5 });
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => bundleBot('p', FINE, ours)));
    expect(await bundleBot('q', FINE, ours)).toMatchObject({ ok: true });
    const refused = all.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
    expect(refused).toHaveLength(45);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'too-many-requests' });
  });

  it('holds so much of what waits of a project, however little that is in number', async () => {
    const ours = using({ processes: 1, mostHeld: 3 * 5000 });
    const large = program(`${FINE.source} // ${'x'.repeat(4900)}`);
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => bundleBot('p', large, ours)));
    expect(await bundleBot('q', large, ours)).toMatchObject({ ok: true });
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  it('says what is wrong, however much longer that is where it is written down', async () => {
    const ours = using();
    const odd = (at: number) => `import '${'\u0001'.repeat(2500)}${at}';`;
    const source = `${Array.from({ length: 110 }, (_, at) => odd(at)).join('\n')}\n${FINE.source}`;
    const result = await bundleBot('p', program(source), ours);
    expect(result).toMatchObject({ ok: false, errors: expect.arrayContaining([expect.objectContaining({ line: 1 })]) });
    const version = 'v'.repeat(250_000);
    const names = ['a', 'b', 'c', 'd', 'e'];
    const packages = Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]));
    const lock = { filename: 'package-lock.json', content: JSON.stringify({ packages }) };
    const others = names.map((name) => {
      const content = JSON.stringify({ name, version });
      return { filename: `node_modules/${name}/package.json`, content };
    });
    const held = await bundleBot('p', { ...FINE, files: [lock, ...others] }, ours);
    expect(textOf(held)).toContain('This is version vvv');
  });

  it('lets none wait for longer than it may', async () => {
    const ours = using({ processes: 1, waitMs: 1 });
    await expect(bundleBot('p', FINE, ours)).rejects.toMatchObject({ code: 'too-many-requests' });
  });
});

/** Kills the processes as a machine does that is short of memory. */
async function killed(ours: Compilers): Promise<number[]> {
  await expect.poll(() => ours.pids().length).toBeGreaterThan(0);
  const pids = ours.pids();
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  return pids;
}

/** When one of them is in the middle of a long source. */
async function killedInIt(ours: Compilers): Promise<void> {
  await expect.poll(() => ours.pids().some(isAtLongSource), { interval: 20 }).toBe(true);
  await killed(ours);
  await expect.poll(() => ours.pids().some(isAtLongSource), { interval: 20 }).toBe(false);
}

const hasChild = (pid: number) => processesOf(pid).length > 1;

/** esbuild's process has 20 MiB when it begins, and some hundreds at the end. */
const isAtLongSource = (group: number) =>
  processesOf(group).some((line) => {
    const [, pid, , kib] = line.trim().split(/\s+/).map(Number);
    return pid !== group && kib! > 50_000;
  });

function processesOf(group: number): string[] {
  const all = execFileSync('ps', ['-eo', 'pgid=,pid=,stat=,rss='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.trim().startsWith(`${group} `) && !/ Z/.test(line));
}
