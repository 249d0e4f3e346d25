'use client';
import { useEffect, useRef } from 'react';
import { singleKeysOn } from '#lib/client/shortcuts.ts';

/** A letter ("j"), "shift+x", a named key ("Enter"), "mod+k", or two keys in a row ("g m"). */
export type KeyMap = Record<string, (event: KeyboardEvent) => void>;

const PAUSE_MS = 1200;

/** Single keys of the page. They rest while somebody types, while a dialog or a menu has the keyboard, and when Account says so. */
export function useKeys(keys: KeyMap): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    let prefix = { key: '', at: 0 };
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.altKey) return;
      const mod = event.metaKey || event.ctrlKey;
      if (mod) return void run(`mod+${event.key.toLowerCase()}`, event);
      if (isTaken(event.target) || !singleKeysOn()) return;
      if (event.shiftKey && run(`shift+${event.key.toLowerCase()}`, event)) return;
      const sequence = event.timeStamp - prefix.at < PAUSE_MS ? `${prefix.key} ${event.key}` : event.key;
      prefix = { key: event.key, at: event.timeStamp };
      if (!run(sequence, event)) run(event.key, event);
    }
    function run(name: string, event: KeyboardEvent): boolean {
      const act = latest.current[name];
      if (!act) return false;
      event.preventDefault();
      act(event);
      return true;
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

const TAKES_KEYS = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog], [role=menu]';

function isTaken(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TAKES_KEYS) !== null;
}
