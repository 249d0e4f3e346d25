'use client';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useSyncExternalStore } from 'react';
import { findScreen } from './screens.ts';

/** Project, screen, and the one thing that is open in it. `closed`: nothing is. */
export function Breadcrumb({ project, closed }: { project: { id: string; name: string }; closed: boolean }) {
  const pathname = usePathname();
  const home = `/p/${project.id}`;
  const screen = findScreen(project.id, pathname);
  const deeper = screen && !closed ? pathname.length > `${home}${screen.path}`.length + 1 : false;
  const leaf = useSyncExternalStore(subscribe, readLeaf, () => undefined);
  const last = deeper && screen?.path ? (leaf ?? '…') : undefined;
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 flex-1">
      <ol className="flex items-center gap-2 text-[0.8125rem]">
        <li className="min-w-0 text-muted max-sm:hidden">
          <Link href={home} className="block truncate rounded-sm leading-6 hover:text-ink">
            {project.name}
          </Link>
        </li>
        {screen ? (
          <>
            <Slash className="max-sm:hidden" />
            <li
              aria-current={last ? undefined : 'page'}
              className={last ? 'shrink-0 text-muted' : 'truncate font-medium'}
            >
              {last ? (
                <Link href={`${home}${screen.path}`} className="block rounded-sm leading-6 hover:text-ink">
                  {screen.label}
                </Link>
              ) : (
                screen.label
              )}
            </li>
          </>
        ) : null}
        {last ? (
          <>
            <Slash />
            <li aria-current="page" className="truncate font-medium">
              {last}
            </li>
          </>
        ) : null}
      </ol>
    </nav>
  );
}

function Slash({ className }: { className?: string }) {
  return (
    <li aria-hidden="true" className={`text-faint ${className ?? ''}`}>
      /
    </li>
  );
}

let leafName: string | undefined;
const listeners = new Set<() => void>();

/** The name of what a detail page shows, for the end of the breadcrumb; undefined when it leaves. */
export function setBreadcrumbLeaf(name: string | undefined): void {
  leafName = name;
  for (const notify of listeners) notify();
}

function readLeaf(): string | undefined {
  return leafName;
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}
