import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IANA's special-purpose IPv4 blocks, multicast and what is reserved: 169.254.0.0/16 holds the metadata services of clouds. */
const NOT_PUBLIC = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;
/** Of IPv6 only this is public, and in it what carries an IPv4 address or stands in books is not. */
const GLOBAL_UNICAST = ['2000::', 3] as const;
const NOT_GLOBAL = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const refused = new BlockList();
for (const [address, bits] of NOT_PUBLIC) refused.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of NOT_GLOBAL) refused.addSubnet(address, bits, 'ipv6');
const global = new BlockList();
global.addSubnet(...GLOBAL_UNICAST, 'ipv6');

/** Whether an IP address is one of the open internet: no network of our own, nothing of this machine. What is no address is not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4');
  return isIPv6(address) && global.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}
