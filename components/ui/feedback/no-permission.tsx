import { LockKeyhole } from 'lucide-react';
import { EmptyState } from './empty-state.tsx';

export type NoPermissionProps = { what: string; role?: string; requestId?: string; className?: string };

/** Says which role is needed, and gives the id by which an administrator can look the refusal up. */
export function NoPermission({ what, role = 'project administrator', requestId, className }: NoPermissionProps) {
  return (
    <EmptyState icon={<LockKeyhole />} title="This needs another role" className={className}>
      Only a {role} may see {what}. Ask an administrator of this project to change your role
      {requestId ? (
        <>
          , and give them this id: <code className="font-mono text-xs">{requestId}</code>
        </>
      ) : null}
      .
    </EmptyState>
  );
}
