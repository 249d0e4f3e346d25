'use client';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ErrorState } from '#components/ui/error-state.tsx';
import { Sheet } from '#components/ui/sheet.tsx';
import { useVersion } from '#lib/client/bots-source.ts';
import { CodeSkeleton, LazyCode } from './lazy-code.tsx';

export type VersionSheetProps = { projectId: string; botId: string; number: number; onClose: () => void };

/** The code of one version, to read and to copy. */
export function VersionSheet({ projectId, botId, number, onClose }: VersionSheetProps) {
  const version = useVersion(projectId, botId, number);
  return (
    <Sheet
      open
      onOpenChange={(open) => open || onClose()}
      title={`Version ${number}`}
      className="max-w-3xl"
      footer={
        version.data ? (
          <CopyButton variant="secondary" size="md" value={version.data.source} label="Copy code">
            Copy code
          </CopyButton>
        ) : null
      }
    >
      {version.data ? (
        <LazyCode label={`Code of version ${number}`} code={version.data.source} />
      ) : version.error ? (
        <ErrorState error={version.error} what="this version" onRetry={() => void version.refetch()} />
      ) : (
        <CodeSkeleton />
      )}
    </Sheet>
  );
}
