'use client';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button, type ButtonProps } from '#components/ui/button.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';

const RequestDialog = dynamic(() => import('./request-dialog.tsx').then((module) => module.RequestDialog), {
  ssr: false,
  loading: DialogLoading,
});

export type RequestAccessProps = {
  /** The id of the refusal that it is about; else one says what one needs. */
  decision?: string;
  /** What was closed is an administrator’s, and comes with that role alone. */
  isRole?: boolean;
  size?: ButtonProps['size'];
};

/** Where a door is closed: the way to ask. */
export function RequestAccess({ decision, isRole = false, size }: RequestAccessProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size={size} onClick={() => setAsking(true)}>
        Request access
      </Button>
      {asking ? <RequestDialog decision={decision} isRole={isRole} onClose={() => setAsking(false)} /> : null}
    </>
  );
}
