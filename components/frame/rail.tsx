'use client';
import { Keyboard } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { cn } from '#components/ui/cn.ts';
import { Kbd } from '#components/ui/kbd.tsx';
import { ProjectSwitcher } from './project-switcher.tsx';
import { SCREENS, type Screen } from './screens.ts';

const GROUPS = [...new Set(SCREENS.map((screen) => screen.group))];

export type RailProps = {
  project: { id: string; name: string };
  onNavigate?: () => void;
  /** Without it (a phone has no keyboard) the entry is left out. */
  onShortcuts?: () => void;
};

export function Rail({ project, onNavigate, onShortcuts }: RailProps) {
  return (
    <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col">
      <ProjectSwitcher project={project} />
      <div className="flex-1 overflow-y-auto px-3 py-4">
        {GROUPS.map((group) => (
          <section key={group} aria-label={group} className="mb-5">
            <h2 className="px-2 pb-1.5 font-medium text-faint text-xs tracking-normal">{group}</h2>
            <ul className="flex flex-col gap-0.5">
              {SCREENS.filter((screen) => screen.group === group).map((screen) => (
                <RailLink key={screen.path} screen={screen} home={`/p/${project.id}`} onNavigate={onNavigate} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      {onShortcuts ? (
        <button
          type="button"
          onClick={onShortcuts}
          className="m-3 flex h-9 items-center gap-2.5 rounded-lg px-2 text-muted hover:bg-hover hover:text-ink"
        >
          <Keyboard className="size-4" aria-hidden="true" />
          <span className="flex-1 text-left">Shortcuts</span>
          <Kbd>?</Kbd>
        </button>
      ) : null}
    </nav>
  );
}

function RailLink({ screen, home, onNavigate }: { screen: Screen; home: string; onNavigate?: () => void }) {
  const pathname = usePathname();
  const href = `${home}${screen.path}`;
  const current = screen.path === '' ? pathname === href : pathname.startsWith(href);
  return (
    <li>
      <Link
        href={href}
        onClick={onNavigate}
        aria-current={current ? 'page' : undefined}
        className={cn(
          'flex h-9 items-center gap-2.5 rounded-lg px-2 font-medium text-muted hover:bg-hover hover:text-ink',
          current && 'bg-surface text-ink shadow-card ring-1 ring-line ring-inset hover:bg-surface',
        )}
      >
        <screen.icon className={cn('size-4', current && 'text-accent-text')} aria-hidden="true" />
        {screen.label}
      </Link>
    </li>
  );
}
