import { LayoutDashboard, type LucideIcon, Users } from 'lucide-react';

export type Screen = { path: string; label: string; group: 'Project'; icon: LucideIcon };

/** The screens of a project, in the order of the rail; a longer path stands after its prefix. */
export const SCREENS: readonly Screen[] = [
  { path: '', label: 'Overview', group: 'Project', icon: LayoutDashboard },
  { path: '/members', label: 'Members', group: 'Project', icon: Users },
];
