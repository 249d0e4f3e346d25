'use client';
import { CircleCheck, CircleX } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { DoorIcon } from '../door/door-icon.tsx';

/** The last word, to which the focus goes: what was pressed is gone. */
export function DeviceDone({ isIn, app }: { isIn: boolean; app: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <DoorIcon icon={isIn ? CircleCheck : CircleX} good={isIn} />
      <h1
        ref={heading}
        tabIndex={-1}
        className="mb-2 font-semibold text-[1.625rem] leading-8 tracking-[-0.022em] outline-none"
      >
        {isIn ? `${app} is in` : `${app} stays out`}
      </h1>
      <p className="text-[0.9375rem] text-muted leading-6">
        {isIn ? 'Go back to the device: it goes on by itself in a moment.' : 'The device hears it in a moment.'} You can
        close this page.
      </p>
    </>
  );
}
