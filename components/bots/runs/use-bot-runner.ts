'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useRef, useState } from 'react';
import { keys } from '#lib/client/api/query-keys.ts';
import { type BotAnswer, type BotInput, executeBot } from '#lib/client/bots/execute.ts';
import { findRunOf } from '#lib/client/bots/runs.ts';
import { BOT_TEMPLATES } from '#lib/client/bots/templates.ts';
import type { BotRunDetail } from '#lib/protocol/bots/runs/bot-runs.ts';

export type BotRunner = ReturnType<typeof useBotRunner>;

/** The input at hand, and the last answer with the record of its run. */
export function useBotRunner(projectId: string, botId: string) {
  const cache = useQueryClient();
  const sample = useSearchParams().get('sample');
  const template = BOT_TEMPLATES.find(({ id }) => id === sample);
  const [input, setInput] = useState<BotInput>(template?.sample ?? { kind: 'json', text: '{}' });
  const [answer, setAnswer] = useState<BotAnswer>();
  /** The one before, of the same page. */
  const [previous, setPrevious] = useState<BotAnswer>();
  const [failure, setFailure] = useState<Error>();
  /** Null: the record did not turn up in time. */
  const [record, setRecord] = useState<BotRunDetail | null>();
  const [running, setRunning] = useState(false);
  const current = useRef<AbortController>(undefined);
  /** Which answer is shown: the record of another may come later. */
  const turn = useRef(0);

  async function run(): Promise<void> {
    if (current.current) return;
    const controller = new AbortController();
    current.current = controller;
    setRunning(true);
    setFailure(undefined);
    try {
      const next = await executeBot(botId, input, controller.signal);
      setPrevious(answer);
      setAnswer(next);
      turn.current += 1;
      const mine = turn.current;
      setRecord(undefined);
      setRunning(false);
      current.current = undefined;
      const found = next.requestId
        ? await findRunOf(projectId, botId, next.requestId).catch(() => undefined)
        : undefined;
      if (turn.current === mine) setRecord(found ?? null);
      await cache.invalidateQueries({ queryKey: [...keys.runs(projectId), 'list'] });
      await cache.invalidateQueries({ queryKey: keys.botList(projectId) });
    } catch (error) {
      if (!controller.signal.aborted) setFailure(error as Error);
    } finally {
      if (current.current === controller) {
        current.current = undefined;
        setRunning(false);
      }
    }
  }

  return { input, setInput, run, running, stop: () => current.current?.abort(), answer, previous, failure, record };
}
