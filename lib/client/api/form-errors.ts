import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';
import { ApiError } from './api-error.ts';

export type FormProblem = { texts: string[]; requestId?: string };

/** The field of an expression, where the form calls it otherwise. */
export type Aliases<Name extends string> = Record<string, Name> | ((expression: string) => Name | undefined);

/**
 * Puts each issue of a refusal on the form field its expression names (last path segment, or what `aliases` says).
 * Returns what belongs to no field, for the message above the form; undefined when everything found its field.
 */
export function applyApiError<Values extends FieldValues>(
  error: unknown,
  fields: readonly FieldPath<Values>[],
  setError: UseFormSetError<Values>,
  aliases: Aliases<FieldPath<Values>> = {},
): FormProblem | undefined {
  if (!(error instanceof ApiError)) return { texts: ['Something in this page failed. Reload it and try again.'] };
  const rest: string[] = [];
  let focused = false;
  for (const issue of error.issues) {
    const field = issue.expression && findField(issue.expression, fields, aliases);
    if (field) {
      setError(field, { type: 'server', message: issue.text }, { shouldFocus: !focused });
      focused = true;
    } else rest.push(issue.text);
  }
  if (error.issues.length === 0) rest.push(error.message);
  return rest.length > 0 ? { texts: rest, requestId: error.status >= 500 ? error.requestId : undefined } : undefined;
}

function findField<Name extends string>(
  expression: string,
  fields: readonly Name[],
  aliases: Aliases<Name>,
): Name | undefined {
  // Of a list that is one field here, each entry.
  const tail = (expression.split('.').at(-1) ?? expression).replace(/\[\d+\]$/, '');
  const alias = typeof aliases === 'function' ? aliases(expression) : aliases[expression];
  return alias ?? fields.find((field) => field === expression) ?? fields.find((field) => field === tail);
}
