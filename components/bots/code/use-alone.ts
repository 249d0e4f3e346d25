'use client';
import { useRef, useState } from 'react';
import { whilePending } from '#lib/client/api/pending.ts';

type Task = 'save' | 'deploy';

/** Saves and deploys of a bot do not overlap: pressed again meanwhile, they do nothing. `task`: what is under way. */
export function useAlone(botId: string) {
  const [task, setTask] = useState<Task>();
  const working = useRef(false);

  async function alone(next: Task, work: () => Promise<boolean>): Promise<boolean> {
    if (working.current) return false;
    working.current = true;
    setTask(next);
    try {
      return await whilePending(work, botId);
    } finally {
      working.current = false;
      setTask(undefined);
    }
  }

  return { alone, task };
}
