'use client';
import type { ComponentProps } from 'react';
import { Input } from '#components/ui/form/input.tsx';

/** Six digits from a mail. One field, so that pasting and the keyboard's own suggestion work. */
export function CodeInput(props: Omit<ComponentProps<typeof Input>, 'large' | 'className'>) {
  return (
    <Input
      {...props}
      large
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      maxLength={12}
      className="font-mono tracking-[0.3em]"
    />
  );
}
