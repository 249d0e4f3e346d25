'use client';
import { zodResolver } from '@hookform/resolvers/zod';
import { useRef, useState } from 'react';
import { type FieldPath, type FieldValues, type Resolver, type UseFormProps, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { applyApiError, type FormProblem } from '#lib/client/api/form-errors.ts';
import { whilePending } from '#lib/client/api/pending.ts';

/**
 * A form over one zod schema whose refusals land on their fields. Text fields get no default value: what was typed
 * before React woke up is then read from the page instead of being wiped.
 */
export function useDoorForm<Values extends FieldValues>(
  schema: z.ZodType<unknown, Values>,
  fields: readonly FieldPath<Values>[],
  submit: (values: Values) => Promise<void>,
  options: UseFormProps<Values> = {},
) {
  const form = useForm<Values>({
    resolver: zodResolver(schema) as Resolver<Values>,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    ...options,
  });
  const [problem, setProblem] = useState<FormProblem>();
  const sent = useRef(new Map<FieldPath<Values>, string>());
  const onSubmit = form.handleSubmit(async (values) => {
    setProblem(undefined);
    sent.current = new Map(fields.map((name) => [name, toText(form.getValues(name))]));
    try {
      await whilePending(() => submit(values));
    } catch (error) {
      setProblem(applyApiError(error, fields, form.setError));
    }
  });
  const errorOf = (name: FieldPath<Values>) => form.getFieldState(name, form.formState).error?.message;
  /** Nothing is typed any more, and nothing wrong: also in a form that keeps what is typed when what is stored changes. */
  const startOver = (from?: Values) => {
    form.reset(from, { keepDirtyValues: false });
    setProblem(undefined);
  };
  /** What was sent is stored so; what was typed since stays. */
  const goOn = (stored: Values) => {
    const typed = fields.map((name) => [name, form.getValues(name)] as const);
    startOver(stored);
    for (const [name, value] of typed)
      if (toText(value) !== sent.current.get(name)) form.setValue(name, value, { shouldDirty: true });
  };
  return { form, onSubmit, problem, setProblem, startOver, goOn, errorOf, busy: form.formState.isSubmitting };
}

function toText(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
