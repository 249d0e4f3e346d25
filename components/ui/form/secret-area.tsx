'use client';
import { Eye, EyeOff } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { cn } from '../cn.ts';
import { TextArea, type TextAreaProps } from './text-area.tsx';

/** A secret of a program: a password field would take the line ends of a key away. Enter sends its form, with Shift it is a line end. */
export function SecretArea({ className, ...rest }: Omit<TextAreaProps, 'isCode' | 'spellCheck' | 'onKeyDown'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <TextArea
        {...rest}
        isCode
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        onKeyDown={sendOnEnter}
        className={cn('pr-11', shown ? '' : '[-webkit-text-security:disc]', className)}
      />
      <button
        type="button"
        aria-label={shown ? 'Hide what is typed' : 'Show what is typed'}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute top-1 right-1 grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
      >
        <Icon className="size-4" aria-hidden="true" />
      </button>
    </div>
  );
}

/** What was copied with the end of its line is the line; a key of several lines stays as it is. */
export function withoutLineEnd(secret: string): string {
  return secret.replace(/^([^\r\n]+)[\r\n]+$/, '$1');
}

function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  // As the browser does it: nothing where the button may not be pressed, or was.
  if (!event.repeat) event.currentTarget.form?.querySelector<HTMLButtonElement>('[type=submit]')?.click();
}
