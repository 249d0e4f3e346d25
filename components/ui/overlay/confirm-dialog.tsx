'use client';
import { type ReactNode, useState } from 'react';
import { whilePending } from '#lib/client/api/pending.ts';
import { Button } from '../button.tsx';
import { Alert } from '../feedback/alert.tsx';
import { Field } from '../form/field.tsx';
import { Input } from '../form/input.tsx';
import { Dialog } from './dialog.tsx';

export type ConfirmDialogProps = {
  title: string;
  /** The effect, in numbers where there are any. */
  children: ReactNode;
  /** A verb with its object: "Remove Dr Lee". */
  confirm: string;
  danger?: boolean;
  /** To be typed first, for what cannot be taken back or touches many. */
  typed?: string;
  /** Holds what would be lost: a press outside does not close it. */
  keep?: boolean;
  onConfirm: () => Promise<void>;
  onClose: () => void;
};

/** Asks before what is hard to take back. Stays open with the reason when it fails. Mounted while it asks. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  danger = false,
  typed,
  keep = false,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [text, setText] = useState('');

  async function act() {
    setBusy(true);
    setProblem(undefined);
    try {
      await whilePending(onConfirm);
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'This failed');
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      keep={keep}
      busy={busy}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            className="min-w-0 max-w-full [&>span]:block [&>span]:truncate"
            variant={danger ? 'danger' : 'primary'}
            busy={busy}
            disabled={typed !== undefined && text.trim().toLowerCase() !== typed.toLowerCase()}
            onClick={() => void act()}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem ? <Alert tone="danger">{problem}</Alert> : null}
        <div className="flex flex-col gap-2 text-muted [&_strong]:font-medium [&_strong]:text-ink">{children}</div>
        {typed ? (
          <Field label={`Type “${typed}” to confirm`}>
            <Input
              value={text}
              onChange={(event) => setText(event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        ) : null}
      </div>
    </Dialog>
  );
}
