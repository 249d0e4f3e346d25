'use client';
import { useState } from 'react';
import { applyApiError, type FormProblem } from '#lib/client/api/form-errors.ts';
import { decide } from '#lib/client/door/authorization.ts';

type Decision = 'allow' | 'deny';

/** The person's answer to an app, which is then where the browser goes. */
export function useDecision(query: string) {
  const [busy, setBusy] = useState<Decision>();
  const [problem, setProblem] = useState<FormProblem>();
  async function send(decision: Decision, membership?: string, patient?: string) {
    setBusy(decision);
    setProblem(undefined);
    try {
      const { location } = await decide({ request: query, decision, membership, patient });
      window.location.replace(location);
    } catch (error) {
      setProblem(applyApiError(error, [], () => undefined));
      setBusy(undefined);
    }
  }
  const answer = (...given: Parameters<typeof send>) => void send(...given);
  return { answer, busy, problem };
}
