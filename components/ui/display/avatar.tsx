import { cn } from '../cn.ts';

/** None of them a colour that says how something stands. */
const TINTS = [
  'bg-violet-soft text-violet-text',
  'bg-plum-soft text-plum-text',
  'bg-orchid-soft text-orchid-text',
  'bg-stone-soft text-stone-text',
];

/** Initials on a tint that stays the same for the same name. Decorative: the name stands beside it, so they are no text of the page. */
export function Avatar({ name, className }: { name: string; className?: string }) {
  const words = name
    .replace(/[^\p{L}\p{N}\s]/gu, ' ')
    .trim()
    .split(/\s+/);
  const initials = `${words[0]?.[0] ?? '?'}${words.length > 1 ? (words.at(-1)?.[0] ?? '') : ''}`.toUpperCase();
  const tint = TINTS[[...name].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0) % TINTS.length];
  return (
    <span
      aria-hidden="true"
      data-initials={initials}
      className={cn(
        'grid size-8 before:content-[attr(data-initials)] shrink-0 select-none place-items-center rounded-full font-semibold text-xs',
        tint,
        className,
      )}
    />
  );
}
