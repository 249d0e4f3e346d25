'use client';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import { useVersion } from '#lib/client/bots/source.ts';
import { CodeSkeleton, LazyCode } from './lazy-code.tsx';

export type VersionSheetProps = {
  projectId: string;
  botId: string;
  number: number;
  onEdit: (code: string) => void;
  onClose: () => void;
};

/** The code of one version, to read and to copy. */
export function VersionSheet({ projectId, botId, number, onEdit, onClose }: VersionSheetProps) {
  const version = useVersion(projectId, botId, number);
  const edit = () => {
    if (version.data) onEdit(version.data.source);
    onClose();
  };
  return (
    <Sheet
      open
      inUrl
      onOpenChange={(open) => open || onClose()}
      title={`Version ${number}`}
      className="max-w-3xl"
      footer={
        version.data ? (
          <>
            <CopyButton variant="secondary" size="md" value={version.data.source} label="Copy code">
              Copy code
            </CopyButton>
            <Button onClick={edit}>Edit this code</Button>
          </>
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
