'use client';
import { X } from 'lucide-react';
import { cn } from '#components/ui/cn.ts';
import { controlClass } from '#components/ui/form/control-class.ts';
import { FilterBar } from '#components/ui/form/filter-bar.tsx';
import { Select } from '#components/ui/form/select.tsx';
import type { ActivitySearch } from '#lib/client/activity/activity.ts';
import type { AuditRow } from '#lib/protocol/answers/audit.ts';

const AREAS = [
  { value: 'any', label: 'Everything' },
  { value: 'people', label: 'People' },
  { value: 'sign-in', label: 'Sign-in' },
  { value: 'bots', label: 'Bots' },
  { value: 'clients', label: 'Clients' },
  { value: 'settings', label: 'Settings and policies' },
  { value: 'records', label: 'Records' },
] as const;

const OUTCOMES = [
  { value: 'any', label: 'Any outcome' },
  { value: 'success', label: 'Done' },
  { value: 'failure', label: 'Refused or failed' },
] as const;

export type ActivityToolbarProps = {
  search: ActivitySearch;
  rows: readonly AuditRow[];
  change: (next: Partial<ActivitySearch>) => void;
  clear: () => void;
  filtered: boolean;
};

export function ActivityToolbar({ search, rows, change, clear, filtered }: ActivityToolbarProps) {
  return (
    <FilterBar onClear={filtered ? clear : undefined}>
      <Select
        aria-label="Area"
        value={search.area}
        options={AREAS}
        onValueChange={(area) => change({ area })}
        className="max-sm:flex-1"
      />
      <Select
        aria-label="Outcome"
        value={search.outcome}
        options={OUTCOMES}
        onValueChange={(outcome) => change({ outcome })}
        className="max-sm:flex-1"
      />
      <div className="flex items-center gap-2 max-sm:w-full">
        <Day label="From day" value={search.from} onChange={(from) => change({ from })} />
        <span aria-hidden="true" className="text-faint">
          to
        </span>
        <Day label="To day" value={search.to} onChange={(to) => change({ to })} />
      </div>
      {search.actor ? (
        <Chip label="By" name={findName(rows, 'actor', search.actor)} onRemove={() => change({ actor: '' })} />
      ) : null}
      {search.target ? (
        <Chip label="On" name={findName(rows, 'target', search.target)} onRemove={() => change({ target: '' })} />
      ) : null}
    </FilterBar>
  );
}

function Day({ label, value, onChange }: { label: string; value: string; onChange: (day: string) => void }) {
  return (
    <input
      type="date"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={cn(controlClass, 'h-9 w-36 min-w-0 text-sm max-sm:flex-1 max-sm:px-2 max-sm:text-base')}
    />
  );
}

function Chip({ label, name, onRemove }: { label: string; name: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Remove the filter: ${label} ${name}`}
      onClick={onRemove}
      className="inline-flex h-9 max-w-64 items-center gap-1.5 rounded-lg bg-accent-soft pr-2 pl-3 font-medium text-accent-text text-sm"
    >
      <span className="truncate">
        {label} {name}
      </span>
      <X className="size-3.5 shrink-0" aria-hidden="true" />
    </button>
  );
}

function findName(rows: readonly AuditRow[], side: 'actor' | 'target', reference: string): string {
  return rows.find((row) => row[side].reference === reference)?.[side].display ?? reference;
}
