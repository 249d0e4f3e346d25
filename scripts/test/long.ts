import { end, withEnd } from '../lifetime.ts';
import { refuse } from '../progress.mjs';
import { runCommand } from '../run-command.ts';

const WHERE = 'lib/testing/leaks';
const MINUTES = 60;
const MOST_SEED = 2 ** 31 - 1;

/**
 * `npm run test:long`, `npm run test:long -- --minutes 10`: looks for an hour, or so long, for what a limited member can make the server say of
 * what is hidden from them, in random worlds. `--seed N`: the same worlds again. Ends with 1 where it found something, which it names.
 */
export function run(args: string[]): Promise<void> {
  const minutes = Number(after(args, '--minutes') ?? MINUTES);
  const seed = Number(after(args, '--seed') ?? Math.floor(Math.random() * MOST_SEED));
  const isFine =
    args.length % 2 === 0 && args.every((arg, at) => at % 2 === 1 || arg === '--minutes' || arg === '--seed');
  if (!isFine || !(minutes > 0) || !Number.isInteger(seed))
    refuse('Usage: npm run test:long -- [--minutes N] [--seed N]');
  return withEnd(async () => {
    console.log(
      `\nRandom worlds for ${minutes} minutes, seed ${seed}: npm run test:long -- --seed ${seed} asks the same again`,
    );
    const env = { LEAK_MINUTES: String(minutes), LEAK_SEED: String(seed) };
    const { code } = await runCommand('vitest', ['run', '--project', 'alone', WHERE], { live: true, env });
    console.log(code === 0 ? '\nNothing told of what is hidden' : `\nSomething did: seed ${seed}`);
    await end(code === 0 ? 0 : 1);
  });
}

function after(args: string[], name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args[at + 1];
}
