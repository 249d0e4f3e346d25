'use client';
import { Download } from 'lucide-react';
import { buttonClass } from '#components/ui/button-class.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';

/** Ten codes that are told this once, to copy or to keep as a file. */
export function RecoveryCodeList({ codes }: { codes: string[] }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <div className="rounded-xl border border-line bg-sunken/60 p-4">
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-x-6 gap-y-1.5 font-mono text-[0.8125rem]"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <CopyButton value={text} label="Copy the codes" variant="secondary">
          Copy
        </CopyButton>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="gatehouse-recovery-codes.txt"
          className={buttonClass({ size: 'sm' })}
        >
          <Download aria-hidden="true" /> Download
        </a>
      </div>
    </div>
  );
}
