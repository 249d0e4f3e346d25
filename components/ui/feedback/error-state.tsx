'use client';
import { CloudAlert, RotateCw } from 'lucide-react';
import dynamic from 'next/dynamic';
import { ApiError } from '#lib/client/api/api-error.ts';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';

// Few meet it.
const NoPermission = dynamic(() => import('./no-permission.tsx').then((module) => module.NoPermission));

export type ErrorStateProps = {
  error: Error;
  /** What the reader was trying to see: "the members of this project". */
  what: string;
  onRetry?: () => void;
  className?: string;
};

/** What failed, its request id, Retry and the details to paste into a ticket. A 403 says which role is needed instead. */
export function ErrorState({ error, what, onRetry, className }: ErrorStateProps) {
  const api = error instanceof ApiError ? error : undefined;
  if (api?.status === 403)
    return <NoPermission what={what} requestId={api.requestId} decision={api.decision} className={className} />;
  return (
    <div role="alert" className={className}>
      <div className="flex flex-col items-center px-6 py-14 text-center">
        <div
          className="mb-4 grid size-11 place-items-center rounded-xl bg-danger-soft text-danger-text"
          aria-hidden="true"
        >
          <CloudAlert className="size-5" />
        </div>
        <h2 className="font-semibold text-[0.9375rem]">Could not load {what}</h2>
        <p className="mt-1.5 max-w-md text-muted">{error.message}</p>
        {api?.requestId ? (
          <p className="mt-2 text-muted text-xs">
            Request <code className="font-mono">{api.requestId}</code>
          </p>
        ) : null}
        <div className="mt-5 flex flex-wrap justify-center gap-2">
          {onRetry ? (
            <Button onClick={onRetry}>
              <RotateCw aria-hidden="true" />
              Retry
            </Button>
          ) : null}
          <CopyButton size="md" label="Copy details" value={toDetails(error, what)}>
            Copy details
          </CopyButton>
        </div>
      </div>
    </div>
  );
}

function toDetails(error: Error, what: string): string {
  if (!(error instanceof ApiError)) return `${what}: ${error.message}`;
  const issues = error.issues.map((issue) => `- ${issue.text}${issue.expression ? ` (${issue.expression})` : ''}`);
  return [`${what}: HTTP ${error.status}`, `request ${error.requestId ?? 'unknown'}`, ...issues].join('\n');
}
