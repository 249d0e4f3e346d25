'use client';
import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { cn } from './cn.ts';

export type SelectOption<Value extends string> = { value: Value; label: string };

export type SelectProps<Value extends string> = {
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  /** Named by a visible label (Field) or, in a toolbar, by this. */
  'aria-label'?: string;
  disabled?: boolean;
  name?: string;
  className?: string;
};

export function Select<Value extends string>({
  value,
  onValueChange,
  options,
  disabled,
  name,
  className,
  ...rest
}: SelectProps<Value>) {
  return (
    <Base.Root
      items={options}
      value={value}
      onValueChange={(next) => next !== null && onValueChange(next)}
      disabled={disabled}
      name={name}
    >
      <Base.Trigger
        aria-label={rest['aria-label']}
        className={cn(
          'inline-flex h-9 items-center justify-between gap-2 rounded-lg border border-line-strong bg-surface pr-2 pl-3 text-ink text-sm shadow-card hover:border-muted data-disabled:cursor-not-allowed data-disabled:bg-sunken data-disabled:text-muted',
          className,
        )}
      >
        <Base.Value className="truncate" />
        <Base.Icon>
          <ChevronsUpDown className="size-3.5 text-muted" aria-hidden="true" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} alignItemWithTrigger={false} className="z-50 outline-none">
          <Base.Popup className="max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-pop outline-none transition-[opacity,scale] duration-100 data-ending-style:scale-98 data-starting-style:scale-98 data-ending-style:opacity-0 data-starting-style:opacity-0">
            <Base.List>
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  className="flex min-h-8 cursor-default select-none items-center gap-2 rounded-lg py-1 pr-3 pl-2 text-sm outline-none data-highlighted:bg-hover"
                >
                  <span className="grid size-4 place-items-center text-accent-text">
                    <Base.ItemIndicator>
                      <Check className="size-4" aria-hidden="true" />
                    </Base.ItemIndicator>
                  </span>
                  <Base.ItemText>{option.label}</Base.ItemText>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
