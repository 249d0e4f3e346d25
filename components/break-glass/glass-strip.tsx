'use client';
import { useQueryClient } from '@tanstack/react-query';
import { Siren } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import { keys } from '#lib/client/api/query-keys.ts';
import { useEndOwnGrant } from '#lib/client/break-glass/own-glass.ts';
import type { FrameMe } from '#lib/client/frame/me.ts';

/** That it is over the server says: it is asked so often once it should be. */
const ASKS_MS = 3000;

/** In the header, while emergency access is open: how long still, and the way out. Its height is the header’s. */
export function GlassStrip({ open: { id, until } }: { open: { id: string; until: string } }) {
  const cache = useQueryClient();
  const end = useEndOwnGrant();
  const left = useSecondsLeft(until);
  const isOver = left === 0;
  useEffect(() => {
    if (!isOver) return;
    const ask = () => void cache.invalidateQueries({ queryKey: keys.me });
    ask();
    const timer = setInterval(ask, ASKS_MS);
    return () => clearInterval(timer);
  }, [isOver, cache]);
  useEffect(() => {
    return () => {
      const me = cache.getQueryData<FrameMe>(keys.me);
      if (me && !me.breakGlass?.open) toast({ title: 'Emergency access has ended' });
    };
  }, [cache]);
  const press = () =>
    end.mutate(id, {
      onSuccess: () => document.getElementById('main')?.focus(),
      onError: sayFailure,
    });
  return (
    <div className="flex shrink-0 items-center gap-2">
      <Siren className="size-4 shrink-0 max-sm:hidden" aria-hidden="true" />
      <span className="font-medium text-[0.8125rem] max-md:sr-only">Emergency access</span>
      <span role="timer" className="w-12 text-right font-medium text-[0.8125rem] tabular-nums">
        {left === undefined ? '' : toClock(left)}
      </span>
      <span role="status" className="sr-only">
        {toWords(left)}
      </span>
      <Button size="sm" busy={end.isPending} onClick={press}>
        End now
      </Button>
    </div>
  );
}

/** By this device’s clock; undefined until the page is awake. */
function useSecondsLeft(until: string): number | undefined {
  const [left, setLeft] = useState<number>();
  useEffect(() => {
    const look = () => setLeft(Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 1000)));
    look();
    const timer = setInterval(look, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return left;
}

function toClock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Said aloud: at the beginning, and twice before the end. */
function toWords(left: number | undefined): string {
  if (left === undefined || left === 0) return '';
  if (left <= 60) return 'Emergency access ends within a minute';
  return left <= 300 ? 'Emergency access ends within five minutes' : 'Emergency access is open';
}
