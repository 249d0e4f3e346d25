'use client';
import { useDeferredValue, useId, useState } from 'react';
import { cn } from '#components/ui/cn.ts';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { type FoundReference, useReferenceLookup } from '#lib/client/access/reference-lookup.ts';

export type ReferenceFieldProps = {
  projectId: string;
  /** Which resources are offered. */
  type: string;
  label: string;
  description?: string;
  optional?: boolean;
  error?: string;
  /** "Type/id", or ''. */
  value: string;
  /** Of the value that it begins with, when it is known. */
  name?: string;
  /** With the name of one that was found. */
  onChange: (reference: string, name?: string) => void;
};

/** Finds a record by name; what is typed as "Type/id" stands as it is. */
export function ReferenceField({ projectId, type, value, name, onChange, ...field }: ReferenceFieldProps) {
  const id = useId();
  const [typed, setText] = useState<string>();
  const text = typed ?? name ?? value;
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const words = useDeferredValue(text.includes('/') || value ? '' : text);
  const found = useReferenceLookup(projectId, type, words);
  const shown = open && words.trim().length > 1 ? (found.data ?? []) : [];

  function choose(found: FoundReference) {
    onChange(found.reference, found.name);
    setText(found.name);
    setOpen(false);
  }

  return (
    <div className="relative">
      <Field {...field} description={value && text !== value ? value : field.description}>
        <Input
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={shown.length > 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder="Name, or Type/id"
          value={text}
          onChange={(event) => {
            const next = event.currentTarget.value;
            setText(next);
            setAt(0);
            setOpen(true);
            onChange(/^[A-Za-z]+\/[\w-]+$/.test(next.trim()) ? next.trim() : '');
          }}
          onBlur={() => setOpen(false)}
          onKeyDown={(event) => {
            if (shown.length === 0) return;
            const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
            if (step !== 0) setAt((at + step + shown.length) % shown.length);
            const current = shown[at];
            if (event.key === 'Enter' && current) choose(current);
            if (event.key === 'Escape') setOpen(false);
            if (step !== 0 || ['Enter', 'Escape'].includes(event.key)) {
              event.preventDefault();
              event.stopPropagation();
            }
          }}
        />
      </Field>
      <div
        id={id}
        role="listbox"
        aria-label={`${type} found`}
        hidden={shown.length === 0}
        className="absolute inset-x-0 top-full z-10 mt-1 rounded-xl border border-line bg-raised p-1 shadow-pop"
      >
        {shown.map((each, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the combobox keeps the focus (ARIA combobox pattern).
          <div
            key={each.reference}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onPointerDown={(event) => {
              event.preventDefault();
              choose(each);
            }}
            className={cn(
              'flex min-h-9 cursor-default items-center gap-3 rounded-lg px-2.5',
              index === at && 'bg-hover',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{each.name}</span>
            <span className="text-muted text-xs">{each.detail ?? each.reference.slice(0, 16)}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
