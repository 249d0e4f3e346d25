import { Badge } from '#components/ui/display/badge.tsx';
import { usePolicyRequired } from '#lib/client/frame/policy-required.ts';

/** What comes of having no policy: a warning, but for administrators. */
export function NoPolicy({ admin = false }: { admin?: boolean }) {
  const text = usePolicyRequired() ? 'No access' : 'Full access';
  if (admin) return <span className="whitespace-nowrap text-muted">{text}</span>;
  return (
    <Badge tone="warn" dot>
      {text}
    </Badge>
  );
}
