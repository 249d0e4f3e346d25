import { spawn } from 'node:child_process';

export type Outcome = { code: number; output: string };

/**
 * Runs a program of node_modules/.bin or of the system to its end. `live` shows what it writes as it comes; `output` is then what it had to
 * complain about (standard error) and otherwise all of it.
 */
export function runCommand(
  file: string,
  args: string[],
  { live = false, env = {} as Record<string, string>, limitMs = 0 } = {},
): Promise<Outcome> {
  return new Promise((done) => {
    const child = spawn(file, args, {
      stdio: ['ignore', live ? 'inherit' : 'pipe', 'pipe'],
      env: { ...process.env, ...env, PATH: `node_modules/.bin:${process.env.PATH}` },
      timeout: limitMs,
    });
    let output = '';
    child.stdout?.on('data', (text) => (output += text));
    child.stderr?.on('data', (text) => {
      output += text;
      if (live) process.stderr.write(text);
    });
    child.once('error', (error) => done({ code: 127, output: error.message }));
    child.once('close', (code) => done({ code: code ?? 1, output }));
  });
}
