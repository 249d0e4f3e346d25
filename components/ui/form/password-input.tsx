'use client';
import { useState } from 'react';
import { cn } from '../cn.ts';
import { Input, type InputProps } from './input.tsx';
import { ShowButton } from './show-button.tsx';

/** A password field that can be shown, takes paste and lets managers fill it. */
export function PasswordInput({ className, ...rest }: InputProps) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input
        {...rest}
        type={shown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
        autoCorrect="off"
        className={cn('pr-11', className)}
      />
      <ShowButton what="password" shown={shown} onToggle={setShown} className="inset-y-1 w-9" />
    </div>
  );
}
