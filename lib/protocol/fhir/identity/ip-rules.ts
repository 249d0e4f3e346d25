import type { Issue } from '#lib/base/errors.ts';
import { isAddress } from '../../sign-in/bounds.ts';
import type { AccessPolicy } from '../types.ts';

/** `network`: an address or a network (CIDR) of either kind; undefined: any. */
export type IpRule = { network?: string; isAllowed: boolean };

const MOST = 200;
/** The peer takes the beginning of an address. */
const BEGINNING = /^(\d{1,3}\.){1,3}$/;

/** A rule, read; undefined for a value that is no address. */
export function readIpRule({ value, action }: NonNullable<AccessPolicy['ipAccessRule']>[number]): IpRule | undefined {
  const isAllowed = action === 'allow';
  if (value === '*') return { isAllowed };
  const parts = BEGINNING.test(value) ? value.split('.').slice(0, -1) : [];
  const network = parts.length > 0 ? `${[...parts, '0', '0', '0'].slice(0, 4).join('.')}/${parts.length * 8}` : value;
  return isAddress(network) ? { network, isAllowed } : undefined;
}

/** What is wrong with the rules of a policy. Expects them structurally valid. */
export function ipIssues({ ipAccessRule = [] }: AccessPolicy): Issue[] {
  const path = 'AccessPolicy.ipAccessRule';
  if (ipAccessRule.length > MOST)
    return [{ text: `A policy has at most ${MOST}`, expression: path, code: 'invariant' }];
  const text =
    'value must be *, an address, a network such as 203.0.113.0/24 or 2001:db8::/32, or the beginning of an address such as 10.1.';
  return ipAccessRule.flatMap((rule, at) => {
    return readIpRule(rule) ? [] : [{ text, expression: `${path}[${at}].value`, code: 'invariant' as const }];
  });
}
