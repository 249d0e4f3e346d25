import { CopyButton } from '#components/ui/copy-button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { usePolicyRequired } from '#lib/client/frame/policy-required.ts';

/** Every policy by name; what having none means is said. */
export function PeekPolicies({ names, admin }: { names: readonly string[]; admin: boolean }) {
  const isRequired = usePolicyRequired();
  if (names.length === 0) {
    const text = isRequired ? 'None: no access' : admin ? 'None: administrator' : 'None: full access';
    return <span className="text-muted">{text}</span>;
  }
  return (
    <span className="flex flex-wrap gap-1.5">
      {names.map((name) => (
        <Badge key={name} className="max-w-full">
          <span className="truncate">{name}</span>
        </Badge>
      ))}
    </span>
  );
}

/** An id with its copy button. `label`: "membership id". */
export function PeekId({ label, value }: { label: string; value: string }) {
  return (
    <span className="flex items-center gap-1">
      <code className="min-w-0 truncate font-mono text-xs">{value}</code>
      <CopyButton value={value} label={`Copy ${label}`} className="-my-1.5" />
    </span>
  );
}
