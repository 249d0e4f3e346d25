import type { ReactNode } from 'react';

/** What stands in a menu. */
export type MenuEntry =
  | 'line'
  | {
      label: string;
      icon?: ReactNode;
      onSelect: () => void;
      danger?: boolean;
      /** Why this cannot be done now: the entry stays, with the reason in its place. */
      reason?: string;
    }
  | { label: string; icon?: ReactNode; href: string }
  | { choice: string; value: string; options: readonly MenuOption[]; onChoose: (value: string) => void }
  | { head: ReactNode; key: string };

export type MenuOption = { value: string; label: string; icon?: ReactNode };
