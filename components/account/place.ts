const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|f[cd][\da-f]{2}:|fe80:)/i;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/i;

/**
 * From where, in words: no more than the address says. Which town an address is in no server knows without a list of others', which is often
 * wrong. '' where it is not known.
 */
export function toPlace(remoteAddress: string | null): string {
  if (!remoteAddress) return '';
  const plain = remoteAddress.replace(/^::ffff:(?=\d)/i, '');
  if (LOOPBACK.test(plain)) return 'the machine of the server itself';
  return PRIVATE.test(plain) ? `${plain} in a private network` : plain;
}
