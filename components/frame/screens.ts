import { Bot, KeyRound, LayoutDashboard, type LucideIcon, MailPlus, ScrollText, Settings, Users } from 'lucide-react';

export type Screen = {
  path: string;
  label: string;
  group: 'Project' | 'Automation' | 'Trust' | 'Settings';
  icon: LucideIcon;
  /** "g", then this letter, goes there. */
  key: string;
};

/** The screens of a project, in the order of the rail; a longer path stands after its prefix. Only screens that exist. */
export const SCREENS: readonly Screen[] = [
  { path: '', label: 'Overview', group: 'Project', icon: LayoutDashboard, key: 'o' },
  { path: '/members', label: 'Members', group: 'Project', icon: Users, key: 'm' },
  { path: '/invites', label: 'Invites', group: 'Project', icon: MailPlus, key: 'i' },
  { path: '/bots', label: 'Bots', group: 'Automation', icon: Bot, key: 'b' },
  { path: '/clients', label: 'Clients', group: 'Automation', icon: KeyRound, key: 'c' },
  { path: '/activity', label: 'Activity', group: 'Trust', icon: ScrollText, key: 'a' },
  { path: '/settings', label: 'Project settings', group: 'Settings', icon: Settings, key: 's' },
];
