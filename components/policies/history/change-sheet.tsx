'use client';
import { LazyDiff } from '#components/bots/life/lazy-diff.tsx';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import type { StoredPolicy } from '#lib/client/policies/policies.ts';
import { toText } from '#lib/client/policies/policy-text.ts';

export type ChangeSheetProps = {
  version: StoredPolicy;
  /** The one before it; undefined of the first that is kept. */
  before: StoredPolicy | undefined;
  onClose: () => void;
};

export function ChangeSheet({ version, before, onClose }: ChangeSheetProps) {
  const title = `Changes in version ${version.meta?.versionId}`;
  return (
    <Sheet open onOpenChange={(open) => open || onClose()} title={title} className="max-w-3xl">
      <div className="h-full overflow-auto">
        <LazyDiff label={title} before={before ? toText(before) : ''} after={toText(version)} />
      </div>
    </Sheet>
  );
}
