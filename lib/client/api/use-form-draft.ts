'use client';
import { useEffect } from 'react';
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form';
import { keepDraft, readDraft } from './drafts.ts';
import { isOvertaken, type PartDraft, toPartDraft } from './part-draft.ts';

/**
 * What is typed into `form` and not sent survives a reload: kept while the form differs from its defaults, dropped when it is reset.
 * `secret`: fields that are never kept. `empty`: what a new form has, where its defaults may be what one before it had: what differs from it is kept then. Tells
 * whether somebody else has changed the same, by what is stored now.
 */
export function useFormDraft<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  key: string,
  { secret = [], empty }: { secret?: readonly Path<Values>[]; empty?: Values } = {},
): (stored: Values) => boolean {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft of the key, once, on the way in.
  useEffect(() => {
    /** As the form came to be, until all is back in it. */
    let back: [values: Values, defaults: Values] | undefined;
    let isBack = false;
    const stop = form.subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, defaultValues }) => {
        back = [values, defaultValues as Values];
        if (isBack) keepTyped(...back);
      },
    });
    for (const [name, value] of Object.entries(readTyped<Values>(key)?.changed ?? {})) {
      form.setValue(name as Path<Values>, value as PathValue<Values, Path<Values>>, { shouldDirty: true });
    }
    isBack = true;
    // What is stored by now is no draft.
    if (back) keepTyped(...back);
    return stop;

    function keepTyped(values: Values, defaults: Values): void {
      const typed = without(values, secret);
      const before = readTyped<Values>(key);
      const draft = toPartDraft(before, defaults, typed);
      keepDraft(key, draft && empty ? toPartDraft(before, empty, typed) : draft);
    }
  }, [key]);
  return (stored) => {
    const typed = readTyped<Values>(key);
    return typed !== undefined && isOvertaken(stored, typed);
  };
}

/** A release before kept what is typed alone. */
function readTyped<Values extends FieldValues>(key: string): PartDraft<Values> | undefined {
  const kept = readDraft<PartDraft<Values> | Partial<Values>>(key);
  return kept === undefined || 'base' in kept ? (kept as PartDraft<Values> | undefined) : { changed: kept, base: {} };
}

function without<Values extends FieldValues>(values: Values, secret: readonly string[]): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret.includes(name))) as Partial<Values>;
}
