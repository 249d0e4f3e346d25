import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { atEnd } from '../lifetime.ts';
import { SERVER_FLAGS } from '../node-flags.ts';

const SCRIPTS = join(import.meta.dirname, '..');

type Options = { args?: string[]; env?: Record<string, string>; saysReady?: boolean };

/** A node process with a channel, of a file beside or above `scripts`, ended with us. Its log is written, but not kept. */
export async function start(file: string, { args = [], env = {}, saysReady = true }: Options = {}) {
  const child = spawn(process.execPath, [...SERVER_FLAGS, join(SCRIPTS, file), ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...env },
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  atEnd(() => {
    child.kill('SIGTERM');
    return gone;
  });
  if (saysReady) await heard(child);
  return child;
}

export function ask<Q extends object, A>(child: ChildProcess, question: Q): Promise<A> {
  const answer = heard<A>(child);
  child.send(question);
  return answer;
}

function heard<A>(child: ChildProcess): Promise<A> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`${child.spawnargs[1]} ended`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as A);
    });
  });
}
