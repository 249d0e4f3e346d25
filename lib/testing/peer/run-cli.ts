import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '../../../node_modules/@medplum/cli/dist/cjs/index.cjs');

export type Ran = { code: number; output: string };
export type Cli = {
  /** Home and working folder of the commands. */
  folder: string;
  run(...args: string[]): Promise<Ran>;
  remove(): Promise<void>;
};

/** The peer's published command line, each command a process, with a home of its own. */
export async function makeCli(environment: Record<string, string> = {}): Promise<Cli> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'));
  // What a command opens, it finds in its home first.
  const PATH = `${folder}:${process.env.PATH}`;
  const env: NodeJS.ProcessEnv = { ...process.env, PATH, HOME: folder, NO_COLOR: '1', ...environment };
  return {
    folder,
    run: (...args) =>
      new Promise((resolve) => {
        execFile(process.execPath, [CLI, ...args], { cwd: folder, env }, (error, stdout, stderr) => {
          resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
        });
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
