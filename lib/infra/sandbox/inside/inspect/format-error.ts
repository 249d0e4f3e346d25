import { isError } from './kinds.ts';
import { prefixOf } from './names.ts';
import type { Context } from './options.ts';

const { hasOwn } = Object;

/** An error by its stack, and `keys` by what that does not say. `formatValue`: of a stack that is no text. */
export function formatError(
  error: Error,
  className: string | null,
  tag: string,
  context: Context,
  keys: PropertyKey[],
  formatValue: (value: unknown) => string,
): string {
  const [message, name] = [read(error, 'message'), read(error, 'name')];
  let stack = stackOf(error, context, formatValue);
  if (!context.showHidden && keys.length > 0) {
    drop(keys, 'stack');
    for (const [key, value] of [['message', message] as const, ['name', name] as const])
      if (typeof value !== 'string' || stack.includes(value)) drop(keys, key);
  }
  for (const key of ['cause', 'errors'])
    if (hasOwn(error, key) && !keys.includes(key) && (key === 'cause' || Array.isArray(read(error, key))))
      keys.push(key);
  stack = improved(stack, className, String(name ?? 'Error'), tag);
  const at = typeof message === 'string' && message !== '' ? stack.indexOf(message) : -1;
  const start = stack.indexOf('\n    at', at < 0 ? 0 : at + (message as string).length);
  // Without a place it stands in brackets.
  if (start < 0) stack = `[${stack}]`;
  else {
    const frames = stack.slice(start + 1).split('\n');
    stack = `${stack.slice(0, start)}\n${withoutCauses(frames, error, context, formatValue).join('\n')}`;
  }
  return context.indentation === 0 ? stack : stack.replaceAll('\n', `\n${' '.repeat(context.indentation)}`);
}

function read(error: Error, key: string): unknown {
  try {
    return (error as unknown as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

function drop(keys: PropertyKey[], key: string): void {
  const at = keys.indexOf(key);
  if (at >= 0) keys.splice(at, 1);
}

function stackOf(error: Error, context: Context, formatValue: (value: unknown) => string): string {
  const stack = read(error, 'stack');
  if (typeof stack === 'string' && stack !== '') return stack;
  const head = Error.prototype.toString.call(error);
  if (!stack) return head;
  context.seen.push(error);
  context.indentation += 4;
  const inner = formatValue(stack);
  context.indentation -= 4;
  context.seen.pop();
  return `${head}\n    ${inner}`;
}

/** With the name of its class, where the stack does not say it. */
function improved(stack: string, className: string | null, name: string, tag: string): string {
  const next = stack[name.length];
  const isRegular =
    name.endsWith('Error') && stack.startsWith(name) && (next === undefined || next === ':' || next === '\n');
  if (className !== null && !isRegular) return stack;
  let { length } = name;
  let fallback = 'Error';
  if (className === null) {
    const start = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n {4}at)/.exec(stack) ?? /^([a-z_A-Z0-9-]*Error)$/.exec(stack);
    length = start?.[1]?.length ?? 0;
    fallback = start?.[1] ?? 'Error';
  }
  const prefix = prefixOf(className, tag, fallback).slice(0, -1);
  if (name === prefix) return stack;
  if (!prefix.includes(name)) return `${prefix} [${name}]${stack.slice(length)}`;
  return length === 0 ? `${prefix}: ${stack}` : `${prefix}${stack.slice(length)}`;
}

/** The cause follows, and has the same end. */
function withoutCauses(
  frames: string[],
  error: Error,
  context: Context,
  formatValue: (value: unknown) => string,
): string[] {
  const cause = read(error, 'cause');
  if (!isError(cause)) return frames;
  const stack = stackOf(cause, context, formatValue);
  const start = stack.indexOf('\n    at');
  if (start < 0) return frames;
  const others = stack.slice(start + 1).split('\n');
  for (let from = 0; from < frames.length - 3; from += 1) {
    const at = others.indexOf(frames[from]!);
    if (at < 0) continue;
    let same = 1;
    while (at + same < others.length && from + same < frames.length && frames[from + same] === others[at + same])
      same += 1;
    if (same <= 3) continue;
    const told = context.stylize(`    ... ${same - 2} lines matching cause stack trace ...`, 'undefined');
    return frames.toSpliced(from + 1, same - 2, told);
  }
  return frames;
}
