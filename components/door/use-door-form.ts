'use client';
import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
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
  const onSubmit = form.handleSubmit(async (values) => {
    setProblem(undefined);
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
  return { form, onSubmit, problem, setProblem, startOver, errorOf, busy: form.formState.isSubmitting };
}
