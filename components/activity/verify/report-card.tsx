import { Alert } from '#components/ui/feedback/alert.tsx';
import type { ChainReport } from '#lib/protocol/audit/verify-chain.ts';

/** What was found, and at which entry. */
export function ReportCard({ report }: { report: ChainReport }) {
  const { holds, rows, first, last, head, breaks, more } = report;
  const signed = head ? ` Signed ${new Date(head.iat * 1000).toLocaleString('en')} by ${head.iss}.` : '';
  if (holds) {
    return (
      <Alert tone="good" title="The log is whole">
        {rows.toLocaleString('en')} entries, {first.toLocaleString('en')} to {last.toLocaleString('en')}: nothing was
        changed, put in or taken out.{signed}
      </Alert>
    );
  }
  return (
    <Alert tone="danger" title="The chain is broken">
      {rows === 0 ? <p>There are no entries in it.</p> : null}
      <ul className="list-disc pl-5">
        {breaks.map(({ seq, what, text }) => (
          <li key={`${seq} ${what} ${text}`}>{text}</li>
        ))}
        {more > 0 ? <li>And {more.toLocaleString('en')} more.</li> : null}
      </ul>
    </Alert>
  );
}
