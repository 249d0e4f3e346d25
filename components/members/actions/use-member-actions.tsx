'use client';
import { useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import { keys } from '#lib/client/api/query-keys.ts';
import type { ProjectMembership } from '#lib/client/api/types.ts';
import type { ProjectFacts } from '#lib/client/frame/project-facts.ts';
import {
  type MemberChange,
  patchMember,
  readMember,
  removeMember,
  resendInvite,
  sendPasswordReset,
  toInverse,
  undoMember,
} from '#lib/client/member/member.ts';
import { showChange } from '#lib/client/members/show-change.ts';
import { isSelfHarm, type MemberAction } from './guards.ts';

const MemberConfirm = dynamic(() => import('./confirm.tsx').then((module) => module.MemberConfirm), {
  ssr: false,
});
const MergeDialog = dynamic(() => import('./merge-dialog.tsx').then((module) => module.MergeDialog), { ssr: false });

const CHANGES = {
  promote: { change: { admin: true }, said: 'Now an administrator' },
  demote: { change: { admin: false }, said: 'Now a member without administration' },
  deactivate: { change: { active: false }, said: 'Deactivated: signed out everywhere' },
  reactivate: { change: { active: true }, said: 'Reactivated' },
} as const satisfies Record<string, { change: MemberChange; said: string }>;

type Ask =
  | { kind: 'confirm'; action: MemberAction; member: ProjectMembership }
  | {
      kind: 'merge';
      base: ProjectMembership;
      change: MemberChange;
      theirs: ProjectMembership;
      onSettled?: () => void;
    };

export type ChangeOptions = {
  /** The administrator means to give up rights of their own. */
  force?: boolean;
  /** Saved, or given up for the other's version: a draft of it is no longer needed. */
  onSettled?: () => void;
};

/**
 * What an administrator can do to one member. Reversible: done, with Undo. Hard to reverse, or against oneself: asked first. A member
 * that somebody else changed meanwhile: both versions, side by side. Render `dialogs` once.
 */
export function useMemberActions(projectId: string, facts: ProjectFacts, onRemoved?: (membershipId: string) => void) {
  const queries = useQueryClient();
  const [ask, setAsk] = useState<Ask>();
  const refresh = async () => {
    const stale = [keys.members(projectId), keys.facts(projectId), keys.invites(projectId)];
    await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };

  /** Somebody may have removed the member meanwhile: then there is nothing to do it to. */
  async function unlessRemoved(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 410)) throw error;
      toast({
        title: 'No longer a member of this project',
        description: 'Somebody has removed them in the meantime. Nothing was changed.',
        tone: 'danger',
      });
      await refresh();
    }
  }

  /** On its own: nobody waits for it who would say that it failed. */
  async function attempt(membershipId: string, work: () => Promise<void>): Promise<void> {
    await whilePending(async () => {
      try {
        await work();
      } catch (error) {
        sayFailure(error as Error);
        await refresh();
      }
    }, membershipId);
  }

  /** Seen at once; taken back when the server refuses, or does not answer. */
  async function save(base: ProjectMembership, wanted: MemberChange, force?: boolean): Promise<ProjectMembership> {
    const takeBack = await showChange(queries, projectId, base.id, wanted);
    try {
      return await patchMember(projectId, base, wanted, force);
    } catch (error) {
      takeBack();
      throw error;
    }
  }

  async function change(base: ProjectMembership, wanted: MemberChange, said: string, options: ChangeOptions = {}) {
    try {
      const saved = await save(base, wanted, options.force);
      options.onSettled?.();
      await refresh();
      if (base.id === facts.self) return window.location.reload();
      toast({
        title: said,
        undo: () => void attempt(base.id, () => unlessRemoved(() => takeBack(saved, toInverse(base, wanted)))),
      });
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      await merge(base, wanted, options.onSettled);
    }
  }

  /** Somebody was faster: both versions side by side, unless they made the same change. */
  async function merge(base: ProjectMembership, wanted: MemberChange, onSettled?: () => void) {
    const [theirs, { isAlreadySo }] = await Promise.all([readMember(projectId, base.id), import('./merge-member.ts')]);
    if (!isAlreadySo(base, wanted, theirs)) return setAsk({ kind: 'merge', base, change: wanted, theirs, onSettled });
    onSettled?.();
    await refresh();
    toast({ title: 'Already so', description: 'Somebody else has made the same change.' });
  }

  async function takeBack(saved: ProjectMembership, inverse: MemberChange) {
    await save(saved, inverse);
    await refresh();
    toast({ title: 'Undone' });
  }

  async function act(action: MemberAction, member: ProjectMembership, force = false): Promise<void> {
    if (action === 'resend') {
      await resendInvite(projectId, member.id);
      toast({ title: 'Invitation sent again', description: 'The earlier link no longer works.' });
      return refresh();
    }
    if (action === 'reset') {
      await sendPasswordReset(projectId, member.id);
      return toast({ title: 'Mail with a reset link sent', description: 'It works for one hour.' });
    }
    if (action === 'remove') {
      await removeMember(projectId, member, force);
      onRemoved?.(member.id);
      await refresh();
      const version = Number(member.meta?.versionId);
      return toast({
        title: 'Member removed',
        undo: () => void attempt(member.id, () => bringBack(member.id, version)),
      });
    }
    const { change: wanted, said } = CHANGES[action];
    return change(member, wanted, said, { force });
  }

  /** Role, status and access as they were in an earlier version. */
  async function restore(member: ProjectMembership, version: number) {
    const seen = member.meta?.versionId;
    const saved = await undoMember(projectId, member.id, version, seen);
    await refresh();
    const back = () => undoMember(projectId, member.id, Number(seen), saved.meta?.versionId);
    toast({
      title: `As in version ${version} again`,
      undo: () =>
        void attempt(member.id, async () => {
          await back();
          await refresh();
          toast({ title: 'Undone' });
        }),
    });
  }

  async function bringBack(membershipId: string, version: number) {
    await undoMember(projectId, membershipId, version);
    await refresh();
    toast({ title: 'The member is back' });
  }

  /** Settles when it is done, said to have failed, or asked about. */
  async function run(action: MemberAction, member: ProjectMembership): Promise<void> {
    if (action === 'remove' || isSelfHarm(action, member, facts)) setAsk({ kind: 'confirm', action, member });
    else await attempt(member.id, () => unlessRemoved(() => act(action, member)));
  }

  const close = () => setAsk(undefined);
  const dialogs: ReactNode =
    ask?.kind === 'confirm' ? (
      <MemberConfirm
        projectId={projectId}
        action={ask.action}
        member={ask.member}
        self={ask.member.id === facts.self}
        onConfirm={() => {
          const { action, member } = ask;
          return whilePending(() => unlessRemoved(() => act(action, member, member.id === facts.self)), member.id);
        }}
        onClose={close}
      />
    ) : ask?.kind === 'merge' ? (
      <MergeDialog
        projectId={projectId}
        base={ask.base}
        change={ask.change}
        theirs={ask.theirs}
        onDone={async () => {
          ask.onSettled?.();
          await refresh();
        }}
        onClose={close}
      />
    ) : null;
  return {
    run,
    change: (...of: Parameters<typeof change>) => whilePending(() => unlessRemoved(() => change(...of)), of[0].id),
    restore: (member: ProjectMembership, version: number) => attempt(member.id, () => restore(member, version)),
    dialogs,
  };
}
