'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { Mark } from '#components/brand/logo.tsx';
import { cn } from '#components/ui/cn.ts';
import { SCREENS } from './screens.ts';

const GROUPS = [...new Set(SCREENS.map((screen) => screen.group))];

export type RailProps = { project: { id: string; name: string }; onNavigate?: () => void };

export function Rail({ project, onNavigate }: RailProps) {
  const pathname = usePathname();
  const home = `/p/${project.id}`;
  return (
    <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col">
      <Link
        href={home}
        onClick={onNavigate}
        className="flex h-12 shrink-0 items-center gap-2.5 border-line border-b px-4 focus-visible:-outline-offset-2"
      >
        <Mark className="size-6 shrink-0" />
        <span className="truncate font-semibold tracking-[-0.01em]">{project.name}</span>
      </Link>
      <div className="flex-1 overflow-y-auto px-3 py-4">
        {GROUPS.map((group) => (
          <section key={group} aria-label={group} className="mb-5">
            <h2 className="px-2 pb-1.5 font-medium text-faint text-xs tracking-normal">{group}</h2>
            <ul className="flex flex-col gap-0.5">
              {SCREENS.filter((screen) => screen.group === group).map((screen) => {
                const href = `${home}${screen.path}`;
                const current = screen.path === '' ? pathname === href : pathname.startsWith(href);
                return (
                  <li key={screen.path}>
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
              })}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}
