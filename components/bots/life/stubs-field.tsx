'use client';
import { Field } from '#components/ui/form/field.tsx';
import { TextArea } from '#components/ui/form/text-area.tsx';
import { readStubs } from '#lib/client/bots/stubs.ts';

const EXAMPLE = '{"fetch": [{"url": "https://api.example.com/*", "status": 200, "body": "{}"}], "mail": true}';

/** What other servers are taken to answer a bot that is run dry: it asks none of them. */
export function StubsField({ value, onValueChange }: { value: string; onValueChange: (text: string) => void }) {
  return (
    <Field
      label="Answers of other servers"
      optional
      error={readStubs(value).fault}
      description="As JSON: for each address what it answers, * for all below it; mail true for mail that is taken. What has none is refused."
    >
      <TextArea isCode rows={3} value={value} placeholder={EXAMPLE} onValueChange={onValueChange} />
    </Field>
  );
}
