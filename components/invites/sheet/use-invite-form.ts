'use client';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { type FieldErrors, get, type Path, type PathValue, type Resolver, set, useForm } from 'react-hook-form';
import { focusRefusal } from '#components/ui/form/focus-refusal.ts';
import { findUnfinished } from '#lib/client/access/access-rows.ts';
import { applyApiError, type FormProblem } from '#lib/client/api/form-errors.ts';
import { newKey } from '#lib/client/api/new-key.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import { keys } from '#lib/client/api/query-keys.ts';
import { useHold } from '#lib/client/api/use-draft.ts';
import { useFormDraft } from '#lib/client/api/use-form-draft.ts';
import { EMPTY_INVITE, type InviteForm, toInviteField, toInviteInput } from '#lib/client/invites/form.ts';
import { type InviteOutcome, inviteMember } from '#lib/client/invites/invite-member.ts';
import { inviteRequest } from '#lib/protocol/requests/invite-member.ts';

const FIELDS = Object.keys(EMPTY_INVITE) as (keyof InviteForm)[];

/** The API's own schema over the request that the form stands for; each issue goes to the field it came from. */
const resolver: Resolver<InviteForm> = (values) => {
  const parsed = inviteRequest.safeParse(toInviteInput(values));
  const issues: [path: string, message: string][] = [
    ...values.accessRows.flatMap((row, at) =>
      findUnfinished(row).map(([path, why]): [string, string] => [`accessRows.${at}.${path}`, why]),
    ),
    ...(parsed.error?.issues ?? []).map(({ path, message }): [string, string] => {
      const expression = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
      return [toInviteField(expression.slice(1), values) ?? path.join('.'), message];
    }),
  ];
  if (issues.length === 0) return { values, errors: {} };
  const errors: FieldErrors<InviteForm> = {};
  for (const [name, message] of issues) if (!get(errors, name)) set(errors, name, { type: 'schema', message });
  return { values: {}, errors };
};

export function useInviteForm(projectId: string) {
  const form = useForm<InviteForm>({ resolver, defaultValues: EMPTY_INVITE, reValidateMode: 'onChange' });
  useFormDraft(form, `invite:${projectId}`, { secret: ['password'], empty: EMPTY_INVITE });
  useHold(form.watch('password') !== '');
  const [problem, setProblem] = useState<FormProblem>();
  const [sent, setSent] = useState<InviteOutcome & { name: string; email: string; mailed: boolean }>();
  const queries = useQueryClient();
  const attempt = useRef({ input: '', key: '' });
  const values = form.watch();

  const submit = form.handleSubmit(async (given) => {
    setProblem(undefined);
    const input = toInviteInput(given);
    // The same again (a lost answer, a double press) is the same request; a corrected one is new.
    const text = JSON.stringify(input);
    if (attempt.current.input !== text) attempt.current = { input: text, key: newKey() };
    try {
      const outcome = await inviteMember(projectId, input, attempt.current.key);
      const name = `${input.firstName} ${input.lastName}`;
      // Sent, and so no draft any more.
      form.reset(given);
      setSent({ ...outcome, name, email: given.email, mailed: given.sendEmail && given.email !== '' });
      const stale = [keys.members(projectId), keys.invites(projectId), keys.facts(projectId)];
      void whilePending(() => Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey }))));
    } catch (error) {
      setProblem(applyApiError(error, FIELDS, form.setError, (expression) => toInviteField(expression, given)));
    }
  });

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    const node = event.currentTarget;
    await submit(event);
    // The first refusal of all, also in rows that the form library does not know as controls.
    focusRefusal(node);
  }

  return {
    form,
    values,
    problem,
    sent,
    onSubmit,
    busy: form.formState.isSubmitting,
    errorOf: (name: Path<InviteForm>): string | undefined => form.getFieldState(name, form.formState).error?.message,
    put: <Name extends Path<InviteForm>>(name: Name, value: PathValue<InviteForm, Name>) =>
      form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted }),
    forget: () => {
      form.reset(EMPTY_INVITE);
      setProblem(undefined);
    },
    /** For the next person: what is likely the same again (type, policies, how to tell them) stays. */
    again: () => {
      const { resourceType, policies, accessRows, sendEmail, returnLink, scope } = form.getValues();
      form.reset({ ...EMPTY_INVITE, resourceType, policies, accessRows, sendEmail, returnLink, scope });
      attempt.current = { input: '', key: '' };
      setSent(undefined);
    },
  };
}

export type InviteFormState = ReturnType<typeof useInviteForm>;
