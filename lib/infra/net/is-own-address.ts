import { networkInterfaces } from 'node:os';

/** Whether an IP address, as resolvers and URLs write it, is one of this machine's own: what listens there is not meant for who asks from within. */
export function isOwnAddress(address: string): boolean {
  return Object.values(networkInterfaces()).some((found) => found?.some((one) => one.address === address));
}
