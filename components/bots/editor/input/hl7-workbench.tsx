'use client';
import { type RefObject, useDeferredValue, useEffect, useState } from 'react';
import { Select } from '#components/ui/form/select.tsx';
import type { Hl7Part } from '#lib/client/bots/hl7/outline.ts';
import { HL7_SAMPLES } from '#lib/client/bots/hl7/samples.ts';
import { Hl7Tree } from './hl7-tree.tsx';

export type Hl7WorkbenchProps = {
  /** Where the message is written. */
  box: RefObject<HTMLTextAreaElement | null>;
  text: string;
  /** One is chosen to start from. */
  onSample: (text: string) => void;
};

const SAMPLES = [
  { value: '', label: 'Sample…' },
  ...HL7_SAMPLES.map(({ name }, index) => ({ value: String(index), label: name })),
];

/** The message below its text: what each part is, and where. Choosing one selects it in the text, the caret marks its part. */
export function Hl7Workbench({ box, text, onSample }: Hl7WorkbenchProps) {
  const shown = useDeferredValue(text);
  const caret = useCaret(box);
  const choose = ({ from, to }: Hl7Part) => {
    const area = box.current;
    if (!area) return;
    area.setSelectionRange(from, to);
    // A text box scrolls to its selection when it gets the focus.
    area.blur();
    area.focus();
  };
  return (
    <div className="flex h-44 shrink-0 flex-col border-line border-t">
      <div className="flex h-9 shrink-0 items-center gap-2 pr-2 pl-4">
        <h3 className="mr-auto font-medium text-xs">Segments</h3>
        <Select
          aria-label="Start from a sample message"
          value=""
          onValueChange={(chosen) => {
            const sample = HL7_SAMPLES[Number(chosen)];
            if (chosen !== '' && sample) onSample(sample.text);
          }}
          options={SAMPLES}
          className="h-7 w-32 text-xs max-sm:text-base"
        />
      </div>
      <div className="min-h-0 flex-1">
        <Hl7Tree text={shown} caret={caret} onChoose={choose} />
      </div>
    </div>
  );
}

/** Where the caret stands in a text box, as it moves. */
function useCaret(box: RefObject<HTMLTextAreaElement | null>): number {
  const [caret, setCaret] = useState(0);
  useEffect(() => {
    const onMove = () => {
      if (document.activeElement === box.current && box.current) setCaret(box.current.selectionStart);
    };
    document.addEventListener('selectionchange', onMove);
    return () => document.removeEventListener('selectionchange', onMove);
  }, [box]);
  return caret;
}
