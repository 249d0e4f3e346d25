'use client';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import { InviteMany } from '../many/many.tsx';
import { useInviteMany } from '../many/use-invite-many.ts';
import type { InviteMode } from './mode.ts';
import { InviteOne } from './one.tsx';
import { useInviteForm } from './use-invite-form.ts';

export type InviteSheetProps = {
  projectId: string;
  mode: InviteMode;
  open: boolean;
  onModeChange: (mode: InviteMode) => void;
  onClose: () => void;
};

const MODES: readonly [InviteMode, string][] = [
  ['one', 'One person'],
  ['many', 'Many from a CSV'],
];

/**
 * Invite one or many. What was typed in either stays while the other is looked at, and when the sheet is closed by Esc or its cross;
 * "Cancel" forgets it.
 */
export function InviteSheet({ projectId, mode, open, onModeChange, onClose }: InviteSheetProps) {
  const one = useInviteForm(projectId);
  const many = useInviteMany(projectId);
  const close = () => {
    if (one.sent) one.again();
    if (many.step === 'started') many.reset();
    onClose();
  };
  return (
    <Sheet
      open={open}
      keep
      inUrl
      onOpenChange={(next) => !next && close()}
      title="Invite"
      className={mode === 'many' ? 'max-w-5xl' : 'max-w-xl'}
    >
      <div className="flex min-h-full flex-col">
        <div className="flex gap-1 px-6 pt-4">
          {MODES.map(([value, label]) => (
            <button
              key={value}
              type="button"
              aria-pressed={mode === value}
              onClick={() => onModeChange(value)}
              className="h-8 rounded-lg px-3 font-medium text-muted hover:text-ink aria-pressed:bg-sunken aria-pressed:text-ink aria-pressed:ring-1 aria-pressed:ring-line aria-pressed:ring-inset"
            >
              {label}
            </button>
          ))}
        </div>
        <div hidden={mode !== 'one'} className={mode === 'one' ? 'contents' : undefined}>
          <InviteOne projectId={projectId} state={one} onClose={close} />
        </div>
        <div hidden={mode !== 'many'} className={mode === 'many' ? 'contents' : undefined}>
          <InviteMany projectId={projectId} many={many} onClose={close} />
        </div>
      </div>
    </Sheet>
  );
}
