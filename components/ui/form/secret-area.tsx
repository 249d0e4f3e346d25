'use client';
import { type KeyboardEvent, useState } from 'react';
import { cn } from '../cn.ts';
import { ShowButton } from './show-button.tsx';
import { TextArea, type TextAreaProps } from './text-area.tsx';

/** A secret of a program: a password field would take the line ends of a key away. Enter sends its form, with Shift it is a line end. */
export function SecretArea({ className, ...rest }: Omit<TextAreaProps, 'isCode' | 'spellCheck' | 'onKeyDown'>) {
  const [shown, setShown] = useState(false);
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
      <ShowButton what="what is typed" shown={shown} onToggle={setShown} className="top-1 size-8" />
    </div>
  );
}

function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  // As the browser does it: nothing where the button may not be pressed, or was.
  if (!event.repeat) event.currentTarget.form?.querySelector<HTMLButtonElement>('[type=submit]')?.click();
}
