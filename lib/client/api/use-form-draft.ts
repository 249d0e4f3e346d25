'use client';
import { useEffect } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { keepDraft, readDraft } from './drafts.ts';

/**
 * What is typed into `form` and not sent survives a reload: kept while the form differs from its defaults, dropped when it is reset.
 * `secret`: fields that are never kept.
 */
export function useFormDraft<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  key: string,
  secret: readonly Path<Values>[] = [],
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft of the key, once, on the way in.
  useEffect(() => {
    const draft = readDraft<Partial<Values>>(key);
    for (const [name, value] of Object.entries(draft ?? {})) {
      form.setValue(name as Path<Values>, value as PathValue<Values, Path<Values>>, { shouldDirty: true });
    }
    return form.subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty = form.formState.isDirty }) =>
        keepDraft(key, isDirty ? without(values, secret) : undefined),
    });
  }, [key]);
}

function without<Values extends FieldValues>(values: Values, secret: readonly string[]): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret.includes(name))) as Partial<Values>;
}
