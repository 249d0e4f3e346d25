'use client';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { cn } from '../cn.ts';
import { controlClass } from './control-class.ts';

const PAUSE_MS = 250;

export type SearchBoxProps = {
  label: string;
  placeholder: string;
  value: string;
  onSearch: (text: string) => void;
  className?: string;
};

/** Searches when the typing pauses, and follows `value` when it changes from outside (back button, "clear"). */
export function SearchBox({ label, placeholder, value, onSearch, className }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) {
      sent.current = value;
      setText(value);
    }
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      onSearch(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <div className={cn('group relative', className)}>
      <Search
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 size-4 text-muted"
        aria-hidden="true"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        spellCheck={false}
        className={cn(controlClass, 'h-9 pr-9 pl-9 text-sm max-sm:text-base [&::-webkit-search-cancel-button]:hidden')}
      />
    </div>
  );
}
