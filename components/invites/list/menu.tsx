'use client';
import { AtSign, CalendarPlus, Ellipsis, Link2, Mail, PanelRight, Undo2 } from 'lucide-react';
import { buttonClass } from '#components/ui/button-class.ts';
import { MenuButton } from '#components/ui/overlay/menu-button.tsx';
import type { InviteRow } from '#lib/protocol/answers/invites.ts';
import { actionsOf, type InviteAction } from './facts.ts';

const LABELS = {
  resend: ['Send again', Mail],
  correct: ['Correct the address', AtSign],
  extend: ['Seven more days', CalendarPlus],
  link: ['Get a link to hand over', Link2],
  revoke: ['Take back', Undo2],
} as const;

export type InviteMenuProps = {
  projectId: string;
  row: InviteRow;
  onAction: (action: InviteAction, row: InviteRow) => void;
};

export function InviteMenu({ projectId, row, onAction }: InviteMenuProps) {
  const icon = (action: InviteAction) => {
    const Icon = LABELS[action][1];
    return <Icon aria-hidden="true" />;
  };
  return (
    <MenuButton
      className="w-56"
      trigger={
        <button
          type="button"
          aria-label={`Actions for ${row.name}`}
          className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}
        >
          <Ellipsis aria-hidden="true" />
        </button>
      }
      entries={() => [
        {
          label: 'Open the member',
          icon: <PanelRight aria-hidden="true" />,
          href: `/p/${projectId}/members/${row.membershipId}`,
        },
        ...actionsOf(row).map((action) => ({
          label: LABELS[action][0],
          icon: icon(action),
          danger: action === 'revoke',
          onSelect: () => onAction(action, row),
        })),
      ]}
    />
  );
}
