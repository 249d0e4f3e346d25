import type { ApiError } from '../api/api-error.ts';

/** `line` and `column` count from 1. */
export type CompileError = { file: string; line: number; column: number; text: string };

/** The issues of a refused deploy, `file:line:column: message` each; empty when it was refused for something else. */
export function toCompileErrors(error: ApiError): CompileError[] {
  return error.issues.flatMap(({ text }) => {
    const parts = /^(.+?):(\d+):(\d+): ([\s\S]+)$/.exec(text);
    return parts ? [{ file: parts[1]!, line: Number(parts[2]), column: Number(parts[3]), text: parts[4]! }] : [];
  });
}

/** The place in `code` that an error names, kept inside the text: another version may be shorter. */
export function toRange(code: string, { line, column }: CompileError): { from: number; to: number } {
  const lines = code.split('\n');
  const at = Math.min(line, lines.length) - 1;
  const start = lines.slice(0, at).reduce((sum, before) => sum + before.length + 1, 0);
  const length = lines[at]?.length ?? 0;
  const from = start + Math.min(Math.max(0, column - 1), length);
  const word = /^[\w$]+/.exec(code.slice(from))?.[0].length ?? 1;
  return { from, to: Math.min(code.length, from + word) };
}
