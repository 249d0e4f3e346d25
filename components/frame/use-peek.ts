'use client';
import { type RefObject, useState } from 'react';
import { findRow, focusRow, stepFrom } from './use-row-keys.ts';

export type Peek = {
  id: string | undefined;
  open: (id: string) => void;
  step: (by: 1 | -1) => void;
  close: () => void;
};

/** Which row of a list is looked at beside it. The focus comes back to the row that was looked at last. */
export function usePeek(list: RefObject<HTMLElement | null>, onClose?: () => void): Peek {
  const [id, setId] = useState<string>();
  return {
    id,
    open: setId,
    step: (by) => {
      const row = stepFrom(list.current, id, by);
      if (!row?.dataset.row) return;
      row.scrollIntoView({ block: 'nearest' });
      setId(row.dataset.row);
    },
    close: () => {
      const row = findRow(list.current, id);
      setId(undefined);
      onClose?.();
      // The sheet holds the focus until it is gone.
      setTimeout(() => focusRow(row));
    },
  };
}
