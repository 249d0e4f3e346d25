'use client';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { BotScheduleAnswer } from '#lib/protocol/bots/times/bot-schedule.ts';
import type { Bot, ProjectMembership, Stored } from '#lib/protocol/fhir/types.ts';
import { api } from '../../api/api.ts';
import { ApiError } from '../../api/api-error.ts';
import { readDraft } from '../../api/drafts.ts';
import type { FormProblem } from '../../api/form-errors.ts';
import { changePart, isOvertaken, type PartDraft, toPartDraft, withPart } from '../../api/part-draft.ts';
import { whilePending } from '../../api/pending.ts';
import { keys } from '../../api/query-keys.ts';
import { useDraft } from '../../api/use-draft.ts';
import { type BotDetails, botQuery, useSaveBot } from '../bots.ts';

/** The next times of a bot: of what it says, or as it would by `query`. */
export function useSchedule(projectId: string, botId: string, query: Record<string, string> = {}) {
  const path = `/admin/projects/${projectId}/bots/${botId}/schedule`;
  return useQuery({
    queryKey: [...keys.bot(projectId, botId), 'schedule', query],
    queryFn: ({ signal }) => api<BotScheduleAnswer>(`${path}?${new URLSearchParams(query)}`, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

type MembershipBundle = { entry?: { resource: Stored<ProjectMembership> }[] };

/** The membership under which a bot runs, which is its address for the world; null where it has none. */
export function useBotMembership(projectId: string, botId: string) {
  return useQuery({
    queryKey: [...keys.bot(projectId, botId), 'membership'],
    queryFn: async ({ signal }) => {
      const found = await api<MembershipBundle>(`/fhir/R4/ProjectMembership?profile=Bot/${botId}&_count=1`, { signal });
      return found.entry?.[0]?.resource ?? null;
    },
  });
}

type Part<Form extends object> = {
  projectId: string;
  bot: Stored<Bot>;
  /** Of the part, by which what is typed of it is kept in this tab. */
  name: string;
  read: (bot: Bot) => Form;
  write: (form: Form, bot: Bot) => BotDetails;
};

/**
 * A part of a bot, as a form has it, that is saved by itself. What somebody else, or another form, changed of the bot meanwhile stays; of the same field
 * that is told, and nothing saved.
 */
export function useBotPart<Form extends object>({ projectId, bot, name, read, write }: Part<Form>) {
  const cache = useQueryClient();
  const saving = useSaveBot(projectId);
  const key = `bot-${name}:${bot.id}`;
  const [draft, keep, spend] = useDraft<PartDraft<Form>>(key);
  const [problem, setProblem] = useState<FormProblem>();
  const stored = read(bot);
  const form = withPart(stored, draft);
  const isDirty = JSON.stringify(form) !== JSON.stringify(stored);
  // What is stored by now is no draft, whoever stored it.
  const isStored = draft !== undefined && !isDirty;
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the draft that is shown.
  useEffect(() => {
    if (isStored) spend();
  }, [isStored]);

  async function store(over: Stored<Bot>): Promise<Stored<Bot>> {
    try {
      return await saving.mutateAsync({ bot: over, details: write(withPart(read(over), draft), over) });
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      const theirs = await cache.fetchQuery({ ...botQuery(projectId, bot.id), staleTime: 0 });
      if (theirs.meta?.versionId === over.meta?.versionId || (draft && isOvertaken(read(theirs), draft))) throw error;
      return store(theirs);
    }
  }

  /** True when it is saved; else `problem` says why it is not. */
  async function save(): Promise<boolean> {
    setProblem(undefined);
    try {
      if (draft && isOvertaken(stored, draft)) throw new ApiError(412, []);
      const saved = read(await whilePending(() => store(bot)));
      spend();
      // What was typed meanwhile was typed over what is stored now.
      const typed = readDraft<PartDraft<Form>>(key);
      if (typed) keep(toPartDraft(undefined, saved, typed.changed));
      await cache.invalidateQueries({ queryKey: [...keys.bot(projectId, bot.id), 'schedule'] });
      return true;
    } catch (error) {
      setProblem(toProblem(error));
      return false;
    }
  }

  const discard = () => {
    keep(undefined);
    setProblem(undefined);
  };
  const change = (part: Partial<Form>) => keep(changePart(draft, stored, part));
  return { form, change, isDirty, save, discard, problem, busy: saving.isPending };
}

function toProblem(error: unknown): FormProblem {
  if (!(error instanceof ApiError)) return { texts: ['Something in this page failed. Reload it and try again.'] };
  if (error.status === 412) return { texts: ['Somebody else changed this meanwhile. Discard to see what it is now.'] };
  const texts = error.issues.length > 0 ? error.issues.map(({ text }) => text) : [error.message];
  return { texts, requestId: error.status >= 500 ? error.requestId : undefined };
}
