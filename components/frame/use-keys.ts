'use client';
import { useEffect, useRef } from 'react';
import { singleKeysOn } from '#lib/client/frame/shortcuts.ts';

/** A letter ("j"), "shift+x", a named key ("Enter"), "mod+k", or two keys in a row ("g m"). */
export type KeyMap = Record<string, (event: KeyboardEvent) => unknown>;

/** Answered by an act that leaves the key to the browser. */
export const NOT_MINE = Symbol('not mine');

const PAUSE_MS = 1200;

/**
 * Single keys of the page. They rest while somebody types, while a dialog or a menu has the keyboard, and when Account says so.
 * `inDialog`: they are a dialog's own.
 */
export function useKeys(keys: KeyMap, { inDialog = false }: { inDialog?: boolean } = {}): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    let prefix = { key: '', at: 0 };
    function onKeyDown(event: KeyboardEvent) {
      // "[" is AltGr and a digit on many keyboards, which Windows reports as Ctrl and Alt.
      const isAltGr = event.getModifierState('AltGraph');
      if (event.defaultPrevented || (event.altKey && !isAltGr)) return;
      const mod = event.metaKey || (event.ctrlKey && !isAltGr);
      if (mod) return void run(`mod+${event.key.toLowerCase()}`, event);
      if (isTaken(event.target, inDialog) || !singleKeysOn()) return;
      if (event.shiftKey && run(`shift+${event.key.toLowerCase()}`, event)) return;
      const sequence = event.timeStamp - prefix.at < PAUSE_MS ? `${prefix.key} ${event.key}` : event.key;
      prefix = { key: event.key, at: event.timeStamp };
      if (!run(sequence, event)) run(event.key, event);
    }
    function run(name: string, event: KeyboardEvent): boolean {
      const act = latest.current[name];
      if (!act || act(event) === NOT_MINE) return false;
      event.preventDefault();
      return true;
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [inDialog]);
}

const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=menu]';

function isTaken(target: EventTarget | null, inDialog: boolean): boolean {
  return target instanceof Element && target.closest(inDialog ? TYPING : `${TYPING}, [role=dialog]`) !== null;
}
