'use client';
import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { cn } from './cn.ts';
import { itemClass, popupClass } from './menu-class.ts';

export type MenuProps = {
  /** The element that opens the menu, usually a Button. */
  trigger: ReactElement;
  align?: 'start' | 'center' | 'end';
  children: ReactNode;
  className?: string;
};

export function Menu({ trigger, align = 'end', children, className }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={6} className="z-50 outline-none">
          <Base.Popup className={cn(popupClass, className)}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem({
  danger = false,
  className,
  ...rest
}: ComponentProps<typeof Base.Item> & { danger?: boolean; className?: string }) {
  return (
    <Base.Item
      {...rest}
      className={cn(
        itemClass,
        danger && 'text-danger-text data-highlighted:bg-danger-soft [&_svg]:text-danger-text',
        className,
      )}
    />
  );
}

export function MenuLink({ className, ...rest }: ComponentProps<typeof Base.LinkItem> & { className?: string }) {
  return <Base.LinkItem closeOnClick {...rest} className={cn(itemClass, className)} />;
}

export function MenuChoice<Value extends string>({
  label,
  value,
  onValueChange,
  options,
}: {
  label: string;
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
}) {
  return (
    <Base.RadioGroup value={value} onValueChange={onValueChange}>
      <Base.GroupLabel className="px-2.5 pt-1.5 pb-1 font-medium text-faint text-xs">{label}</Base.GroupLabel>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} className={itemClass}>
          {option.icon}
          <span className="flex-1">{option.label}</span>
          <Base.RadioItemIndicator>
            <Check aria-hidden="true" />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="mx-1 my-1 h-px bg-line" />;
}
