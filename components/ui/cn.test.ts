import { expect, test } from 'vitest';
import { cn } from './cn.ts';

test.each([
  [['gap-x-4 gap-y-2', 'gap-y-3'], 'gap-x-4 gap-y-3'],
  [['h-4 bg-line', 'h-7'], 'bg-line h-7'],
  [['h-4 w-9', 'size-8'], 'size-8'],
  [['text-muted text-sm', 'text-xs'], 'text-muted text-xs'],
  [['text-ink', 'text-muted'], 'text-muted'],
  [['text-center text-ink', 'text-left'], 'text-center text-ink text-left'],
  [['hover:bg-hover bg-surface', 'bg-sunken'], 'hover:bg-hover bg-sunken'],
  [['shadow-card', 'shadow-none'], 'shadow-none'],
  [['rounded-full', 'rounded-lg'], 'rounded-lg'],
  [['px-3', 'pr-11'], 'px-3 pr-11'],
  [['max-w-full', 'max-w-40'], 'max-w-40'],
  [['[&_svg]:size-4 size-9', 'size-8'], '[&_svg]:size-4 size-8'],
  [['text-[0.8125rem]', 'text-sm'], 'text-sm'],
  [['a', false, undefined, 'b'], 'a b'],
])('%j merges to "%s"', (inputs, merged) => {
  expect(cn(...inputs)).toBe(merged);
});
