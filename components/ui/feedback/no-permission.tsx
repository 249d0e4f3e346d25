import { LockKeyhole } from 'lucide-react';
import { RequestAccess } from '#components/access-requests/request-access.tsx';
import { GlassButton } from '#components/break-glass/glass-button.tsx';
import { EmptyState } from './empty-state.tsx';

export type NoPermissionProps = {
  what: string;
  role?: string;
  requestId?: string;
  /** A policy refused it: the id by which it is asked for. */
  decision?: string;
  className?: string;
};

/** Says what is needed, gives the id by which an administrator can look the refusal up, and the way to ask. */
export function NoPermission({
  what,
  role = 'project administrator',
  requestId,
  decision,
  className,
}: NoPermissionProps) {
  if (decision)
    return (
      <EmptyState
        icon={<LockKeyhole />}
        title="Your policies do not open this"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <RequestAccess decision={decision} />
            <GlassButton />
          </div>
        }
        className={className}
      >
        A {role} sets what you may see of {what}. Ask for it, and they know what was refused by this id:{' '}
        <code className="break-all font-mono text-xs">{decision}</code>.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<LockKeyhole />}
      title="This needs another role"
      action={<RequestAccess isRole />}
      className={className}
    >
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
