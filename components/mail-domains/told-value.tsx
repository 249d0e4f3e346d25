import { CopyButton } from '#components/ui/copy-button.tsx';

/** What the provider is told of us. */
export function ToldValue({ label, value, copy }: { label: string; value: string; copy: string }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-muted">
      <span>{label}:</span>
      <code className="min-w-0 break-all font-mono text-ink text-xs">{value}</code>
      <CopyButton value={value} label={copy} />
    </p>
  );
}
