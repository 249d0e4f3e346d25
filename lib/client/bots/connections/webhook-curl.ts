import type { WebhookForm } from './webhook-form.ts';

/** A call of a bot's address as its sender makes it, for a POSIX shell; `$SECRET` is the value of the project's secret. */
export function toWebhookCurl(url: string, { preset, header }: Pick<WebhookForm, 'preset' | 'header'>): string {
  const { lines, headers } = signatureOf(preset, header.trim() || 'X-Signature');
  return [
    `BODY='{"hello":"world"}'`,
    ...lines,
    `curl -X POST '${url}' \\`,
    ...['Content-Type: application/json', ...headers].map((line) => `  -H "${line}" \\`),
    '  --data-binary "$BODY"',
  ].join('\n');
}

type Signed = { lines: string[]; headers: string[] };

function signatureOf(preset: WebhookForm['preset'], header: string): Signed {
  switch (preset) {
    case 'none':
      return { lines: [], headers: [] };
    case 'github':
      return { lines: [hex('$BODY')], headers: ['X-Hub-Signature-256: sha256=$SIGNATURE'] };
    case 'shopify':
      return { lines: [base64('$BODY')], headers: ['X-Shopify-Hmac-Sha256: $SIGNATURE'] };
    case 'hex':
      return { lines: [hex('$BODY')], headers: [`${header}: $SIGNATURE`] };
    case 'base64':
      return { lines: [base64('$BODY')], headers: [`${header}: $SIGNATURE`] };
    case 'stripe':
      return { lines: [AT, hex('$AT.$BODY')], headers: ['Stripe-Signature: t=$AT,v1=$SIGNATURE'] };
    case 'slack':
      return {
        lines: [AT, hex('v0:$AT:$BODY')],
        headers: ['X-Slack-Request-Timestamp: $AT', 'X-Slack-Signature: v0=$SIGNATURE'],
      };
    case 'standard-webhooks':
      return {
        // The key is what stands after whsec_, in base64; what is no base64 is the key itself.
        lines: [AT, 'ID="msg_$AT"', STANDARD_KEY, base64('$ID.$AT.$BODY', '-mac HMAC -macopt "hexkey:$KEY"')],
        headers: ['Webhook-Id: $ID', 'Webhook-Timestamp: $AT', 'Webhook-Signature: v1,$SIGNATURE'],
      };
  }
}

const AT = 'AT=$(date +%s)';
const STANDARD_KEY = `KEY=$(printf %s "\${SECRET#whsec_}" | openssl base64 -d -A 2>/dev/null | od -An -v -tx1 | tr -d ' \\n')
[ "\${SECRET#whsec_}" != "$SECRET" ] || [ "$(printf %s "$SECRET" | openssl base64 -d -A 2>/dev/null | openssl base64 -A)" = "$SECRET" ] || KEY=$(printf %s "$SECRET" | od -An -v -tx1 | tr -d ' \\n')`;

function hex(text: string): string {
  return `SIGNATURE=$(printf %s "${text}" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')`;
}

function base64(text: string, key = '-hmac "$SECRET"'): string {
  return `SIGNATURE=$(printf %s "${text}" | openssl dgst -sha256 ${key} -binary | openssl base64 -A)`;
}
