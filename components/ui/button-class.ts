import { cva } from 'class-variance-authority';

/** The look of a button, also for links. In a file of its own because server components use it too. */
export const buttonClass = cva(
  [
    'relative inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-lg font-medium',
    'transition-[background-color,border-color,color,box-shadow] duration-100',
    'data-disabled:cursor-not-allowed data-disabled:opacity-55',
    '[&_svg]:size-4 [&_svg]:shrink-0',
  ],
  {
    variants: {
      variant: {
        primary: 'bg-accent text-accent-ink shadow-card hover:bg-accent-strong active:bg-accent-strong',
        secondary: 'border border-line bg-surface text-ink shadow-card hover:bg-hover active:bg-sunken',
        ghost: 'text-muted hover:bg-hover hover:text-ink data-popup-open:bg-hover data-popup-open:text-ink',
        danger: 'bg-danger text-danger-ink shadow-card hover:bg-danger-strong active:bg-danger-strong',
        link: 'h-auto rounded-sm px-0 text-accent-text underline decoration-1 underline-offset-3 hover:decoration-2',
      },
      size: {
        sm: 'h-8 px-3 text-[0.8125rem]',
        md: 'h-9 px-3.5 text-sm',
        lg: 'h-11 px-5 text-[0.9375rem]',
        icon: 'size-9',
        'icon-sm': 'size-8',
      },
    },
    compoundVariants: [{ variant: 'link', className: 'h-auto px-0' }],
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
);
