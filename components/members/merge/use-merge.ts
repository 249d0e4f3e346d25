'use client';
import { useState } from 'react';
import { ApiError } from '#lib/client/api/api-error.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import { patchMember } from '#lib/client/member/change-member.ts';
import { readMember } from '#lib/client/member/member.ts';
import { findConflicts, isAlreadySo, type MemberConflict, type MergePicks, merge } from './merge-member.ts';

/** The choice between two versions of a member, and its saving. What changes once more meanwhile is the new other side. */
export function useMerge(
  projectId: string,
  { base, change, theirs: first }: MemberConflict,
  onSaved: (said: string) => Promise<void>,
) {
  const [theirs, setTheirs] = useState(first);
  const [picks, setPicks] = useState<MergePicks>({});
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const fields = findConflicts(base, change, theirs);

  async function put() {
    const wanted = merge(base, change, theirs, fields, picks);
    try {
      if (Object.keys(wanted).length > 0) await patchMember(projectId, theirs, wanted);
      await onSaved('Saved');
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      const newest = await readMember(projectId, base.id);
      if (isAlreadySo(base, change, newest)) return onSaved('Already so');
      setTheirs(newest);
      setProblem('It changed once more while you looked. This is the newest state.');
    }
  }

  async function save() {
    setBusy(true);
    setProblem(undefined);
    await whilePending(put, base.id).catch((error: Error) => {
      const removed = error instanceof ApiError && error.status === 410;
      setProblem(removed ? 'Somebody has removed this member in the meantime.' : error.message);
    });
    setBusy(false);
  }

  return { theirs, fields, picks, setPicks, problem, busy, save };
}
