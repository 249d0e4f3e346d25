'use client';
import { type RefObject, useRef } from 'react';

const FIELDS =
  'input:enabled:not([type=hidden], [type=file], [readonly], [aria-hidden=true]), select:enabled, textarea:enabled';

/**
 * What has the focus first in a dialog: its first field, so that one types at once and does not stand on the cross. Where the keyboard
 * would come up over the form, on a touch screen, the dialog itself.
 */
export function useFirstField(): {
  popup: RefObject<HTMLDivElement | null>;
  firstField: (opened: string) => HTMLElement | null;
} {
  const popup = useRef<HTMLDivElement>(null);
  const firstField = (opened: string) => {
    if (opened === 'touch') return popup.current;
    const fields = [...(popup.current?.querySelectorAll<HTMLElement>(FIELDS) ?? [])];
    return fields.find((field) => field.checkVisibility()) ?? null;
  };
  return { popup, firstField };
}
