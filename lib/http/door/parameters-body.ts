import type { z } from 'zod';
import { AppError } from '#lib/base/errors.ts';
import { withPlainNumbers } from '#lib/protocol/json/json.ts';
import { toIssues } from '#lib/protocol/zod-issues.ts';
import { type BodyReader, readJson } from './read-body.ts';

/**
 * The input of an operation, as Parameters or as a plain object with the same names (R4 operations §3.2.0.2); no body is no input.
 * Every wrong one is an issue with its name. Throws 400, also for one that is given twice: all of ours take one value.
 */
export function parametersBody<T>(schema: z.ZodType<T>, limit?: number): BodyReader<T> {
  return {
    read: async (request) => {
      const result = schema.safeParse(toInput(withPlainNumbers((await readJson(request, limit)) ?? {})));
      if (result.success) return result.data;
      throw new AppError('invalid', 'Invalid request', { issues: toIssues(result.error) });
    },
  };
}

type Given = { resourceType?: unknown; parameter?: unknown };

function toInput(body: unknown): unknown {
  if ((body as Given | null)?.resourceType !== 'Parameters') return body;
  const { parameter = [] } = body as Given;
  if (!Array.isArray(parameter)) throw wrong('Parameters.parameter', 'parameter must be a list');
  const input = new Map<string, unknown>();
  for (const [index, item] of parameter.entries()) {
    const expression = `Parameters.parameter[${index}]`;
    const { name, ...rest } = (item ?? {}) as Record<string, unknown>;
    const values = Object.entries(rest).filter(([key]) => /^value[A-Z]/.test(key));
    if (typeof name !== 'string' || values.length !== 1)
      throw wrong(expression, 'A parameter has a name and one value');
    if (input.has(name)) throw wrong(expression, `${name.slice(0, 80)} is given twice`);
    input.set(name, values[0]![1]);
  }
  return Object.fromEntries(input);
}

function wrong(expression: string, text: string): AppError {
  return new AppError('invalid', text, { expression });
}
