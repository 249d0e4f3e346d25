import { CopyButton } from '#components/ui/copy-button.tsx';

/** A command to paste, with its name and a copy button. */
export function CodeBlock({ title, code }: { title: string; code: string }) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-xl border border-line bg-surface shadow-card">
      <figcaption className="flex h-10 items-center justify-between border-line border-b bg-sunken/60 pr-1.5 pl-4 font-medium text-[0.8125rem] text-muted">
        {title}
        <CopyButton value={code} label={`Copy: ${title}`} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key (WCAG 2.1.1).
        tabIndex={0}
        className="overflow-x-auto p-4 font-mono text-[0.8125rem] leading-6 focus-visible:-outline-offset-2"
      >
        <code>{code}</code>
      </pre>
    </figure>
  );
}
