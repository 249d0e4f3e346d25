'use client';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';

export type CopyButtonProps = Omit<ButtonProps, 'value'> & { value: string; label: string };

/** Copies `value`; says so in place. Without children it is an icon with `label` as its name. */
export function CopyButton({ value, label, children, ...rest }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const Icon = copied ? Check : Copy;
  return (
    <Button
      variant="ghost"
      size={children ? 'sm' : 'icon-sm'}
      {...rest}
      aria-label={children ? undefined : copied ? 'Copied' : label}
      onClick={() => void copyText(value).then(setCopied)}
    >
      <Icon aria-hidden="true" />
      {children ? (copied ? 'Copied' : children) : null}
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </Button>
  );
}

async function copyText(text: string): Promise<boolean> {
  // Pages served over plain http have no clipboard API.
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}
