'use client';
import {
  Ellipsis,
  KeyRound,
  Mail,
  PanelRight,
  ShieldCheck,
  ShieldMinus,
  Trash2,
  UserRoundCheck,
  UserRoundX,
} from 'lucide-react';
import { buttonClass } from '#components/ui/button-class.ts';
import { MenuButton } from '#components/ui/overlay/menu-button.tsx';
import type { MenuEntry } from '#components/ui/overlay/menu-entry.ts';
import type { Member } from '#lib/client/api/types.ts';
import type { ProjectFacts } from '#lib/client/frame/project-facts.ts';
import { findGuard, type MemberAction } from './actions/guards.ts';
import type { MemberFacts } from './facts.ts';

const LABELS = {
  promote: ['Make administrator', ShieldCheck],
  demote: ['Make member', ShieldMinus],
  deactivate: ['Deactivate', UserRoundX],
  reactivate: ['Reactivate', UserRoundCheck],
  resend: ['Send invitation again', Mail],
  reset: ['Send password reset', KeyRound],
  remove: ['Remove from project', Trash2],
} as const;

export type MemberMenuProps = {
  member: Member;
  facts: MemberFacts;
  project: ProjectFacts;
  /** Left out where the member is open already. */
  href?: string;
  onAction: (action: MemberAction) => void;
};

/** Everything that can be done to one member; what the server would refuse says why. */
export function MemberMenu({ member, facts, project, href, onAction }: MemberMenuProps) {
  const entries = () => {
    const open: MenuEntry[] = href ? [{ label: 'Open', icon: <PanelRight aria-hidden="true" />, href }, 'line'] : [];
    const toEntry = (action: MemberAction): MenuEntry => {
      const [label, Icon] = LABELS[action];
      return {
        label,
        icon: <Icon aria-hidden="true" />,
        danger: action === 'remove',
        reason: findGuard(action, member, project, facts.directory),
        onSelect: () => onAction(action),
      };
    };
    return [
      ...open,
      ...actionsOf(member, facts).map(toEntry),
      'line' as const,
      ...(['deactivate', 'remove'] as const)
        .map((action) => (action === 'deactivate' && member.active === false ? 'reactivate' : action))
        .map(toEntry),
    ];
  };
  return (
    <MenuButton
      className="w-64"
      trigger={
        <button
          type="button"
          aria-label={`Actions for ${facts.name}`}
          className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}
        >
          <Ellipsis aria-hidden="true" />
        </button>
      }
      entries={entries}
    />
  );
}

function actionsOf(member: Member, { person, status }: MemberFacts): MemberAction[] {
  const role = member.admin ? 'demote' : 'promote';
  if (!person) return [role];
  const waiting = status === 'invited' || status === 'invite-expired' || status === 'mail-failed';
  return [role, waiting ? 'resend' : 'reset'];
}
