'use client';
import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { cn } from '../cn.ts';

export type TabsProps<Value extends string> = {
  value: Value;
  onValueChange: (value: Value) => void;
  label: string;
  tabs: readonly { value: Value; label: ReactNode; count?: number }[];
  children: ReactNode;
  className?: string;
};

export function Tabs<Value extends string>({
  value,
  onValueChange,
  label,
  tabs,
  children,
  className,
}: TabsProps<Value>) {
  return (
    <Base.Root value={value} onValueChange={onValueChange} className={cn('flex flex-col', className)}>
      <Base.List aria-label={label} className="relative flex gap-1 overflow-x-auto border-line border-b">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="flex h-10 shrink-0 items-center gap-2 rounded-t-lg px-3 font-medium max-sm:px-2.5 text-muted hover:text-ink focus-visible:-outline-offset-2 data-active:text-ink"
          >
            {tab.label}
            {tab.count === undefined ? null : (
              <span className="rounded-full bg-sunken px-1.5 text-muted text-xs tabular-nums">{tab.count}</span>
            )}
          </Base.Tab>
        ))}
        <Base.Indicator className="absolute bottom-0 left-(--active-tab-left) h-0.5 w-(--active-tab-width) rounded-full bg-accent transition-[left,width] duration-150" />
      </Base.List>
      {children}
    </Base.Root>
  );
}

export type TabPanelProps = {
  value: string;
  children: ReactNode;
  className?: string;
  /** Holds a draft: it stays while another tab is looked at. */
  keep?: boolean;
};

export function TabPanel({ value, children, className, keep = false }: TabPanelProps) {
  return (
    <Base.Panel value={value} keepMounted={keep} className={cn('pt-5', className)}>
      {children}
    </Base.Panel>
  );
}
