import { expect, it, vi } from 'vitest';
import { SANDBOX_LIMITS } from '../host/limits.ts';
import { createHost, type HostActions } from './host.ts';

function listen() {
  const heard: unknown[] = [];
  const hear =
    (name: string) =>
    (...args: unknown[]) =>
      heard.push([name, ...args]) > 0;
  const names = ['log', 'call', 'done', 'failed', 'startTimer', 'clearTimer', 'breach'];
  const actions = Object.fromEntries(names.map((name) => [name, vi.fn(hear(name))])) as unknown as HostActions;
  return { heard, ...createHost(actions) };
}

const long = (characters: number) => 'x'.repeat(characters + 2);
const { callBytes, errorCharacters, logBytes, outcomeBytes, resultBytes, urlCharacters, webBytes } = SANDBOX_LIMITS;
const endless = { toString: () => long(1), valueOf: () => 1 };

it.each([
  ['an unknown operation', 'eval', '1'],
  ['what is told, asked', 'done', 'string', 'x'],
  ['an operation of no name', endless],
  ['one that every object has', 'constructor'],
  ['a level with a NUL', 'log', 'lo\u0000g', 'x'],
  ['a line that is no text', 'log', 'log', endless],
  ['a line that is too long', 'log', 'log', long(logBytes)],
  ['a timer of no number', 'timer', Number.NaN, 1],
  ['a delay below zero', 'timer', 1, -1],
  ['a URL that is too long', 'url', long(urlCharacters)],
  ['text that is too long', 'encode', long(webBytes)],
  ['bytes that are too many', 'decode', new Uint8Array(webBytes + 1), 'utf-8'],
  ['bytes that are none', 'decode', 'bytes', 'utf-8'],
])('%s ends the run, and is not handed on', (_, ...args) => {
  const { heard, host } = listen();
  host(...(args as unknown[] as [unknown]));
  expect(heard).toEqual([['breach']]);
});

it.each([
  ['an operation of no name', endless],
  ['one that every object has', 'constructor'],
  ['what is asked, told', 'log', 'log', 'x'],
  ['an unknown method', 'call', 1, 'constructor', '[]'],
  ['a call of no number', 'call', 'one', 'search', '[]'],
  ['arguments that are too long', 'call', 1, 'search', long(callBytes)],
  ['an unknown kind of result', 'done', 'outcome', '{}'],
  ['a result that is too long', 'done', 'string', long(resultBytes)],
  ['a result that is no text', 'done', 'json', { length: 1 }],
  ['a reason of ours', 'failed', 'out-of-memory', 'x'],
  ['a message that is too long', 'failed', 'threw', long(errorCharacters)],
  ['a stack that is too long', 'failed', 'threw', 'x', '\n'.repeat(errorCharacters + 2)],
  ['an outcome that is too long', 'failed', 'threw', 'x', undefined, long(outcomeBytes)],
])('%s is not told', (_, ...args) => {
  const { heard, tell } = listen();
  tell(...(args as unknown[] as [unknown]));
  expect(heard).toEqual([['breach']]);
});

it.each([
  ['url', 'nope'],
  ['url-set', 'nope', 'port', '1'],
  ['encoding', 'klingon'],
  ['decode', new Uint8Array([255]), 'utf-8', true],
  ['atob', 'é'],
  ['btoa', '€'],
  ['random', Number.NaN],
])('what Node refuses is nothing, never an error of ours: %s', (...args) => {
  const { heard, host } = listen();
  expect(host(...(args as unknown[] as [unknown]))).toBeUndefined();
  expect(heard).toEqual([]);
});
