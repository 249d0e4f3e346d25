import {
  Activity,
  Bot,
  Cable,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  LockKeyhole,
  type LucideIcon,
  MailPlus,
  MailX,
  ScrollText,
  Settings,
  ShieldCheck,
  ShieldQuestionMark,
  Siren,
  Users,
} from 'lucide-react';
import type { FrameMe } from '#lib/client/frame/me.ts';

export type Screen = {
  path: string;
  label: string;
  group: 'Project' | 'Automation' | 'Trust' | 'Settings';
  icon: LucideIcon;
  /** "g", then this letter, goes there. */
  key: string;
  /** Only administrators may see it; what it shows has its words in closed-screen.tsx, which few load. */
  admin?: true;
  /** Only where the server offers it. */
  offer?: keyof Offers;
};

/** What not every server does. */
export type Offers = { hl7: boolean };

/** The screens of a project, in the order of the rail; a longer path stands after its prefix. Only screens that exist. */
export const SCREENS: readonly Screen[] = [
  { path: '', label: 'Overview', group: 'Project', icon: LayoutDashboard, key: 'o' },
  { path: '/members', label: 'Members', group: 'Project', icon: Users, key: 'm', admin: true },
  {
    path: '/invites',
    label: 'Invites',
    group: 'Project',
    icon: MailPlus,
    key: 'i',
    admin: true,
  },
  {
    path: '/access-policies',
    label: 'Access policies',
    group: 'Project',
    icon: ShieldCheck,
    key: 'p',
    admin: true,
  },
  { path: '/bots', label: 'Bots', group: 'Automation', icon: Bot, key: 'b', admin: true },
  { path: '/runs', label: 'Runs', group: 'Automation', icon: Activity, key: 'r', admin: true },
  {
    path: '/dead-letters',
    label: 'Dead letters',
    group: 'Automation',
    icon: MailX,
    key: 'd',
    admin: true,
  },
  {
    path: '/hl7-feeds',
    label: 'HL7 v2 feeds',
    group: 'Automation',
    icon: Cable,
    key: 'h',
    admin: true,
    offer: 'hl7',
  },
  {
    path: '/clients',
    label: 'Clients',
    group: 'Automation',
    icon: KeyRound,
    key: 'c',
    admin: true,
  },
  {
    path: '/access-reviews',
    label: 'Access reviews',
    group: 'Trust',
    icon: ListChecks,
    key: 'w',
    admin: true,
  },
  {
    path: '/access-requests',
    label: 'Access requests',
    group: 'Trust',
    icon: LockKeyhole,
    key: 'q',
    admin: true,
  },
  {
    path: '/break-glass',
    label: 'Emergency access',
    group: 'Trust',
    icon: Siren,
    key: 'e',
    admin: true,
  },
  {
    path: '/activity',
    label: 'Activity',
    group: 'Trust',
    icon: ScrollText,
    key: 'a',
    admin: true,
  },
  {
    path: '/access-test',
    label: 'Test access',
    group: 'Trust',
    icon: ShieldQuestionMark,
    key: 't',
    admin: true,
  },
  {
    path: '/settings',
    label: 'Project settings',
    group: 'Settings',
    icon: Settings,
    key: 's',
    admin: true,
  },
];

/** What somebody can use. Until it is known that they administer nothing, everything is shown: the API decides. */
export function screensOf(me: FrameMe | undefined): readonly Screen[] {
  return me?.membership.admin === false ? SCREENS.filter((screen) => !screen.admin) : SCREENS;
}

/** Whether these are an administrator's. */
export function hasAdmin(screens: readonly Screen[]): boolean {
  return screens.some(({ admin }) => admin !== undefined);
}

/** The screen of a page of this project. */
export function findScreen(projectId: string, pathname: string): Screen | undefined {
  return SCREENS.findLast((screen) => pathname.startsWith(`/p/${projectId}${screen.path}`));
}
