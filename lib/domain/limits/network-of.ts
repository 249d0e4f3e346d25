import { isIPv6 } from 'node:net';

/**
 * What a caller cannot vary of their address: an IPv4 address, or the first 64 bits of an IPv6 one, since whoever has one of those has all
 * that follow (RFC 6177 §2).
 */
export function networkOf(address: string): string {
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** The eight groups, without leading zeros, as the URL standard writes them. */
function groupsOf(address: string): string[] {
  const [withoutZone = ''] = address.split('%');
  const [head = '', tail] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail ?? ''].map((text) => (text === '' ? [] : text.split(':')));
  const zeros = Array.from({ length: 8 - before!.length - after!.length }, () => '0');
  return tail === undefined ? before! : [...before!, ...zeros, ...after!];
}
