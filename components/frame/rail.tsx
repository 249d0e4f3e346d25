'use client';
import { Keyboard, LockKeyhole, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { cn } from '#components/ui/cn.ts';
import { Kbd } from '#components/ui/display/kbd.tsx';
import { LinkPending } from '#components/ui/display/link-pending.tsx';
import { Tooltip, type TooltipProps } from '#components/ui/overlay/tooltip.tsx';
import { ProjectSwitcher } from './menus/project-switcher.tsx';
import { hasAdmin, type Screen } from './screens.ts';

export type RailProps = {
  project: { id: string; name: string };
  /** What this person can use. */
  screens: readonly Screen[];
  /** Icons alone, with their names as tooltips. */
  narrow?: boolean;
  onNavigate?: () => void;
  /** Without them (a phone has no keyboard, and its drawer no second width) the entries are left out. */
  onShortcuts?: () => void;
  onNarrow?: () => void;
};

export function Rail({ project, screens, narrow = false, onNavigate, onShortcuts, onNarrow }: RailProps) {
  const groups = [...new Set(screens.map((screen) => screen.group))];
  return (
    <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col">
      <ProjectSwitcher project={project} narrow={narrow} />
      <div className={cn('flex-1 overflow-y-auto px-3 py-4', narrow && 'px-2.5')}>
        {groups.map((group) => (
          <section
            key={group}
            aria-label={group}
            className={narrow ? 'not-first:mt-2 not-first:border-line not-first:border-t not-first:pt-2' : 'mb-5'}
          >
            <h2 className={narrow ? 'sr-only' : 'px-2 pb-1.5 font-medium text-faint text-xs tracking-normal'}>
              {group}
            </h2>
            <ul className="flex flex-col gap-0.5">
              {screens
                .filter((screen) => screen.group === group)
                .map((screen) => (
                  <RailLink
                    key={screen.path}
                    screen={screen}
                    home={`/p/${project.id}`}
                    narrow={narrow}
                    onNavigate={onNavigate}
                  />
                ))}
            </ul>
          </section>
        ))}
        {hasAdmin(screens) || narrow ? null : (
          <p className="flex gap-2.5 px-2 text-[0.8125rem] text-muted leading-snug">
            <LockKeyhole className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
            People, bots, clients and settings are with this project’s administrators.
          </p>
        )}
      </div>
      <div className={cn('flex flex-col gap-0.5 p-3', narrow && 'px-2.5')}>
        {onShortcuts ? (
          <RailButton label="Shortcuts" hint="?" icon={<Keyboard />} narrow={narrow} onClick={onShortcuts} />
        ) : null}
        {onNarrow ? (
          <RailButton
            label={narrow ? 'Expand navigation' : 'Collapse navigation'}
            hint="["
            icon={narrow ? <PanelLeftOpen /> : <PanelLeftClose />}
            narrow={narrow}
            onClick={onNarrow}
          />
        ) : null}
      </div>
    </nav>
  );
}

const ENTRY =
  'flex h-9 w-full items-center gap-2.5 rounded-lg px-2 text-muted hover:bg-hover hover:text-ink [&_svg]:size-4 [&_svg]:shrink-0';

type RailLinkProps = { screen: Screen; home: string; narrow: boolean; onNavigate?: () => void };

function RailLink({ screen, home, narrow, onNavigate }: RailLinkProps) {
  const pathname = usePathname();
  const href = `${home}${screen.path}`;
  const current = screen.path === '' ? pathname === href : pathname.startsWith(href);
  return (
    <li>
      <Named label={screen.label} narrow={narrow}>
        <Link
          href={href}
          onClick={onNavigate}
          aria-current={current ? 'page' : undefined}
          className={cn(
            ENTRY,
            'font-medium',
            narrow && 'justify-center',
            current && 'bg-surface text-ink shadow-card ring-1 ring-line ring-inset hover:bg-surface',
          )}
        >
          <screen.icon className={cn(current && 'text-accent-text')} aria-hidden="true" />
          <span className={narrow ? 'sr-only' : undefined}>{screen.label}</span>
          <LinkPending />
        </Link>
      </Named>
    </li>
  );
}

type RailButtonProps = { label: string; hint: string; icon: ReactNode; narrow: boolean; onClick: () => void };

function RailButton({ label, hint, icon, narrow, onClick }: RailButtonProps) {
  return (
    <Named label={`${label} (${hint})`} narrow={narrow}>
      <button type="button" onClick={onClick} className={cn(ENTRY, narrow && 'justify-center')}>
        <span aria-hidden="true" className="contents">
          {icon}
        </span>
        <span className={narrow ? 'sr-only' : 'flex-1 text-left'}>{label}</span>
        {narrow ? null : <Kbd>{hint}</Kbd>}
      </button>
    </Named>
  );
}

/** The name as a tooltip where only the icon is seen. */
function Named({ label, narrow, children }: { label: string; narrow: boolean; children: TooltipProps['children'] }) {
  return (
    <Tooltip text={narrow ? label : undefined} side="right">
      {children}
    </Tooltip>
  );
}
