'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Path, type PathValue, type Resolver, useForm } from 'react-hook-form';
import { applyApiError, type FormProblem } from '#lib/client/form-errors.ts';
import { EMPTY_INVITE, INVITE_ALIASES, type InviteForm, toInviteInput } from '#lib/client/invite-form.ts';
import { type InviteOutcome, inviteMember } from '#lib/client/invite-member.ts';
import { newKey } from '#lib/client/new-key.ts';
import { keys } from '#lib/client/query-keys.ts';
import { inviteRequest } from '#lib/protocol/requests/invite-member.ts';

const FIELDS = Object.keys(EMPTY_INVITE) as (keyof InviteForm)[];

/** The API's own schema over the request that the form stands for; each issue goes to the field it came from. */
const resolver: Resolver<InviteForm> = (values) => {
  const parsed = inviteRequest.safeParse(toInviteInput(values));
  if (parsed.success) return { values, errors: {} };
  const errors = parsed.error.issues.map((issue) => {
    const path = issue.path.join('.');
    const name = INVITE_ALIASES[path] ?? INVITE_ALIASES[path.split('.').slice(0, 2).join('.')] ?? path;
    return [name, { type: 'schema', message: issue.message }];
  });
  return { values: {}, errors: Object.fromEntries(errors.reverse()) };
};

export function useInviteForm(projectId: string) {
  const form = useForm<InviteForm>({ resolver, defaultValues: EMPTY_INVITE, reValidateMode: 'onChange' });
  const [problem, setProblem] = useState<FormProblem>();
  const [sent, setSent] = useState<InviteOutcome & { name: string; email: string; mailed: boolean }>();
  const queries = useQueryClient();
  const attempt = useRef({ input: '', key: '' });
  const values = form.watch();

  const onSubmit = form.handleSubmit(async (given) => {
    setProblem(undefined);
    const input = toInviteInput(given);
    // The same again (a lost answer, a double press) is the same request; a corrected one is new.
    const text = JSON.stringify(input);
    if (attempt.current.input !== text) attempt.current = { input: text, key: newKey() };
    try {
      const outcome = await inviteMember(projectId, input, attempt.current.key);
      const name = `${input.firstName} ${input.lastName}`;
      setSent({ ...outcome, name, email: given.email, mailed: given.sendEmail && given.email !== '' });
      for (const queryKey of [keys.members(projectId), keys.invites(projectId), keys.facts(projectId)])
        void queries.invalidateQueries({ queryKey });
    } catch (error) {
      setProblem(applyApiError(error, FIELDS, form.setError, INVITE_ALIASES));
    }
  });

  return {
    form,
    values,
    problem,
    sent,
    onSubmit,
    busy: form.formState.isSubmitting,
    errorOf: (name: keyof InviteForm) => form.getFieldState(name, form.formState).error?.message,
    put: <Name extends Path<InviteForm>>(name: Name, value: PathValue<InviteForm, Name>) =>
      form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted }),
    /** For the next person: what is likely the same again (type, policies, how to tell them) stays. */
    again: () => {
      const { resourceType, policies, sendEmail, returnLink, scope } = form.getValues();
      form.reset({ ...EMPTY_INVITE, resourceType, policies, sendEmail, returnLink, scope });
      attempt.current = { input: '', key: '' };
      setSent(undefined);
    },
  };
}

export type InviteFormState = ReturnType<typeof useInviteForm>;
