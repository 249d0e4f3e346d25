'use client';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from '#lib/client/api/api-error.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import type { Member } from '#lib/client/api/types.ts';
import type { ProjectFacts } from '#lib/client/frame/project-facts.ts';
import type { MemberChange } from '#lib/client/member/member.ts';
import { refreshMembers } from '#lib/client/members/refresh-members.ts';
import { attempt } from './attempt.ts';
import type { ChangeContext, ChangeOptions } from './change.ts';
import { type MemberAsk, MemberDialogs } from './dialogs.tsx';
import { isSelfHarm, type MemberAction } from './guards.ts';

/**
 * What an administrator can do to one member. Reversible: done, with Undo. Hard to reverse, or against oneself: asked first. A member
 * that somebody else changed meanwhile: both versions, side by side. Render `dialogs` once.
 */
export function useMemberActions(projectId: string, facts: ProjectFacts, onRemoved?: (membershipId: string) => void) {
  const queries = useQueryClient();
  const [ask, setAsk] = useState<MemberAsk>();
  const refresh = () => refreshMembers(queries, projectId);
  const context: ChangeContext = {
    queries,
    projectId,
    self: facts.self,
    refresh,
    onConflict: (conflict, onSettled) => setAsk({ kind: 'merge', ...conflict, onSettled }),
  };

  async function change(base: Member, wanted: MemberChange, said: string, options?: ChangeOptions): Promise<void> {
    const { changeMember } = await load(import('./change.ts'));
    return changeMember(context, base, wanted, said, options);
  }

  async function restore(member: Member, version: number): Promise<void> {
    const { restoreMember } = await load(import('./restore.ts'));
    return restoreMember(context, member, version);
  }

  async function act(action: MemberAction, member: Member, force = false): Promise<void> {
    const { actOnMember } = await load(import('./act.ts'));
    return actOnMember(context, action, member, { force, onRemoved });
  }

  /** Settles when it is done, said to have failed, or asked about. */
  async function run(action: MemberAction, member: Member): Promise<void> {
    if (action === 'remove' || isSelfHarm(action, member, facts)) setAsk({ kind: 'confirm', action, member });
    else await attempt(member.id, () => act(action, member), refresh);
  }

  /** What was asked about is meant. */
  async function confirm(action: MemberAction, member: Member): Promise<void> {
    await whilePending(() => act(action, member, member.id === facts.self), member.id);
  }

  const dialogs: ReactNode = (
    <MemberDialogs
      projectId={projectId}
      ask={ask}
      self={facts.self}
      onConfirm={confirm}
      onMerged={refresh}
      onClose={() => setAsk(undefined)}
    />
  );
  return {
    run,
    change: (...of: Parameters<typeof change>) => whilePending(() => change(...of), of[0].id),
    restore: (member: Member, version: number) => attempt(member.id, () => restore(member, version), refresh),
    dialogs,
  };
}

/** Members are looked at more often than changed: what changes one comes when somebody does. */
async function load<T>(module: Promise<T>): Promise<T> {
  return module.catch(() => Promise.reject(new ApiError(0, [])));
}
