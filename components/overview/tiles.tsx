import { Bot, KeyRound, type LucideIcon, TriangleAlert, Users } from 'lucide-react';
import Link from 'next/link';
import { cn } from '#components/ui/cn.ts';
import { Card } from '#components/ui/display/card.tsx';
import type { Overview } from '#lib/protocol/answers/overview.ts';

/** Four numbers, each the way to its list. */
export function Tiles({ projectId, overview }: { projectId: string; overview: Overview }) {
  const { people, bots, clients, findingCounts } = overview;
  const open = Object.values(findingCounts).reduce((sum, count) => sum + count, 0);
  const home = `/p/${projectId}`;
  return (
    <ul aria-label="Numbers" className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      <Tile
        icon={Users}
        label="People"
        value={people.active}
        note={`${count(people.invited)} invited, ${count(people.inactive)} inactive`}
        href={`${home}/members`}
      />
      <Tile
        icon={Bot}
        label="Bots"
        value={bots.count}
        note={`${count(bots.runs24h)} runs in 24 h, ${count(bots.failed24h)} failed`}
        tone={bots.failed24h > 0 ? 'warn' : undefined}
        href={`${home}/bots`}
      />
      <Tile
        icon={KeyRound}
        label="Clients"
        value={clients.active}
        note={clients.off > 0 ? `${count(clients.off)} turned off` : 'None turned off'}
        href={`${home}/clients`}
      />
      <Tile
        icon={TriangleAlert}
        label="To look at"
        value={open}
        note={open === 0 ? 'Nothing needs attention' : 'Things that need attention'}
        tone={open > 0 ? 'warn' : undefined}
        href="#attention"
      />
    </ul>
  );
}

function count(number: number): string {
  return number.toLocaleString('en');
}

type TileProps = { icon: LucideIcon; label: string; value: number; note: string; tone?: 'warn'; href: string };

function Tile({ icon: Icon, label, value, note, tone, href }: TileProps) {
  return (
    <li>
      <Link href={href} className="group block h-full rounded-xl">
        <Card className="h-full p-4 sm:p-5 transition-colors group-hover:border-line-strong">
          <p className="flex items-center justify-between gap-2 font-medium text-muted">
            {label}
            <Icon className={cn('size-4 text-faint', tone && 'text-warn-text')} aria-hidden="true" />
          </p>
          <p className="mt-1.5 font-semibold text-[1.75rem] leading-8 tracking-[-0.02em] tabular-nums">
            {count(value)}
          </p>
          <p className="mt-1 text-[0.8125rem] text-muted">{note}</p>
        </Card>
      </Link>
    </li>
  );
}
