'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import { contentOf, ofVersion } from '#lib/client/bots/files/program.ts';
import { useVersion } from '#lib/client/bots/source.ts';
import type { VersionSource } from '#lib/protocol/bots/bot-versions.ts';
import { CodeSkeleton, LazyCode } from './lazy-code.tsx';

export type VersionSheetProps = {
  projectId: string;
  botId: string;
  number: number;
  onEdit: (version: VersionSource) => void;
  onClose: () => void;
};

/** The code of one version, to read and to copy: of many files one at a time. */
export function VersionSheet({ projectId, botId, number, onEdit, onClose }: VersionSheetProps) {
  const version = useVersion(projectId, botId, number);
  const [chosen, setChosen] = useState<string>();
  const files = version.data && ofVersion(version.data);
  const shown = chosen ?? files?.entry ?? '';
  const code = files ? (contentOf(files, shown) ?? '') : '';
  const isMany = files !== undefined && files.all.length > 1;
  const edit = () => {
    if (version.data) onEdit(version.data);
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
            <CopyButton variant="secondary" size="md" value={code} label={isMany ? `Copy ${shown}` : 'Copy code'}>
              {isMany ? 'Copy this file' : 'Copy code'}
            </CopyButton>
            <Button onClick={edit}>Edit this code</Button>
          </>
        ) : null
      }
    >
      {files ? (
        <>
          {isMany ? (
            <Field label="File" className="px-6 py-4">
              <Select
                value={shown}
                options={files.all.map(({ filename }) => ({
                  value: filename,
                  label: filename === files.entry ? `${filename}, the entry point` : filename,
                }))}
                onValueChange={setChosen}
              />
            </Field>
          ) : null}
          <LazyCode
            key={shown}
            label={isMany ? `${shown} of version ${number}` : `Code of version ${number}`}
            code={code}
            filename={shown}
          />
        </>
      ) : version.error ? (
        <ErrorState error={version.error} what="this version" onRetry={() => void version.refetch()} />
      ) : (
        <CodeSkeleton />
      )}
    </Sheet>
  );
}
